import type { ComponentChildren } from 'preact';
import { THEMES, type Theme, theme } from './theme.ts';

const PICTURES: Readonly<Record<Theme, ComponentChildren>> = {
  system: (
    <>
      <circle cx="12" cy="12" r="8" />
      <path class="filled" d="M12 4a8 8 0 0 1 0 16z" />
    </>
  ),
  light: (
    <>
      <circle cx="12" cy="12" r="4.5" />
      <path d="M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M19 5l-1.4 1.4M6.4 17.6L5 19" />
    </>
  ),
  dark: <path d="M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7z" />,
};

/** Cycles through the themes. */
export function ThemeButton() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length];
  const label = `Colours: ${theme.value}. Change to ${next}`;
  return (
    <button
      type="button"
      class="theme"
      title={label}
      aria-label={label}
      onClick={() => {
        theme.value = next;
      }}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        {PICTURES[theme.value]}
      </svg>
    </button>
  );
}
