import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { Frame } from './frame.tsx';
import { followLinks } from './navigation.ts';
import { applyTheme } from './theme.ts';

export function mount(): void {
  const root = document.getElementById('app') ?? document.body;
  applyTheme();
  followLinks(root);
  render(<Frame />, root);
}
