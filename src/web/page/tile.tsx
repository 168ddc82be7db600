import type { ComponentChildren } from 'preact';

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
