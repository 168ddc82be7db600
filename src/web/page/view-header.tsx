import type { ComponentChildren } from 'preact';

interface Properties {
  /** Of the view. */
  readonly name: string;
  /** The one thing that matters in it, now. */
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** Where one is, small, and what there is to know, large. */
export function ViewHeader({ name, title, children }: Properties) {
  return (
    <header class="headline">
      <p class="view-name">{name}</p>
      <h1 class="plain">{title}</h1>
      {children}
    </header>
  );
}
