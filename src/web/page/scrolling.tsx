import type { ComponentChildren } from 'preact';

/** What is wider than the page scrolls by itself, with keys too. `label`: id of its heading. */
export function Scrolling({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section class="scroll" aria-labelledby={label} tabIndex={0}>
      {children}
    </section>
  );
}
