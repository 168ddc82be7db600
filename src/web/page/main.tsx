import { mount } from './mount.tsx';
import { followServer } from './state.ts';

followServer();
mount();
