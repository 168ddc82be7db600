import type { ComponentChildren } from 'preact';

/** Scrolls content wider than the page, also by keyboard. */
export function Scrolling({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section class="scroll" aria-label={name} tabIndex={0}>
      {children}
    </section>
  );
}
