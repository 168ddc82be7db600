import type { ComponentChildren } from 'preact';

/** A figure and what it is of. */
export function Tile({ name, children, note }: { name: string; children: ComponentChildren; note?: string }) {
  return (
    <div class="tile">
      <dt>{name}</dt>
      <dd>
        <span class="figure">{children}</span>
        {note !== undefined && <span class="quiet">{note}</span>}
      </dd>
    </div>
  );
}
