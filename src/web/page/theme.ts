import { computed, effect, signal } from '@preact/signals';

/** system: follow the operating system. */
export type Theme = 'system' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

const KEY = 'decant-theme';

export const theme = signal<Theme>(saved());
/** Incremented on every change of colours, for pictures that must be redrawn. */
export const repaints = signal(0);

export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    save(theme.value);
    repaints.value = repaints.peek() + 1;
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => repaints.value++);
}

const COLOURS = [
  ...[
    'paper',
    'ink',
    'quiet',
    'line',
    'glass',
    'good',
    'moves',
    'delete',
    'replace',
    'new',
    'keep',
    'blocked',
    'protected',
  ],
  ...['delete-pod', 'replace-pod', 'new-pod', 'keep-pod', 'blocked-pod', 'protected-pod'],
];

/** Colours of the style sheet by name, for canvases: read all at once, because each read costs a layout. */
const palette = computed(() => {
  void repaints.value;
  const probes = COLOURS.map((name) => {
    const probe = document.createElement('i');
    probe.style.color = `var(--${name})`;
    return probe;
  });
  const holder = document.createElement('div');
  holder.hidden = true;
  holder.append(...probes);
  document.body.append(holder);
  const values = new Map(COLOURS.map((name, i) => [name, getComputedStyle(probes[i]).color]));
  holder.remove();
  return values;
});

export function colour(name: string): string {
  return palette.peek().get(name) ?? 'currentcolor';
}

/** Root font size in pixels: text in pictures scales with the page. */
export function rootFontSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

/** The page's font in a size relative to its text, for a canvas. */
export function canvasFont(rem: number): string {
  return `${Math.round(rem * rootFontSize())}px ${getComputedStyle(document.body).fontFamily}`;
}

function saved(): Theme {
  try {
    return THEMES.find((each) => each === localStorage.getItem(KEY)) ?? 'system';
  } catch {
    return 'system'; // storage is forbidden
  }
}

function save(value: Theme): void {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}
