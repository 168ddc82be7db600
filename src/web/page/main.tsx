import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { Frame } from './frame.tsx';
import { followLinks } from './navigation.ts';
import { followCluster } from './state.ts';
import { applyTheme } from './theme.ts';

const root = document.getElementById('app') ?? document.body;
applyTheme();
followLinks(root);
followCluster();
render(<Frame />, root);
