import type { ComponentChildren } from 'preact';

interface Properties {
  readonly name: string;
  /** The main statement of the view. */
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function ViewHeader({ name, title, children }: Properties) {
  return (
    <header class="headline">
      <p class="view-name">{name}</p>
      <h1 class="plain">{title}</h1>
      {children}
    </header>
  );
}
