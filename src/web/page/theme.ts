import { effect, signal } from '@preact/signals';

/** As the system has it unless the reader says otherwise. */
export type Theme = 'system' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

const KEY = 'decant-theme';

export const theme = signal<Theme>(saved());
/** Counts changes of colour, whoever made them, for pictures that must be drawn again. */
export const repaints = signal(0);

export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    save(theme.value);
    repaints.value = repaints.peek() + 1;
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => repaints.value++);
}

/** A colour of the style sheet as a canvas understands it. */
export function colour(name: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
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
    // The choice lasts as long as the page.
  }
}
