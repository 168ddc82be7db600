import type { ComponentChildren } from 'preact';

/** What is wider than the page scrolls by itself, with keys too. */
export function Scrolling({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section class="scroll" aria-label={name} tabIndex={0}>
      {children}
    </section>
  );
}
