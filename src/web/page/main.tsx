import { mount } from './mount.tsx';
import { followCluster } from './state.ts';

followCluster();
mount();
