import { type Markup, markup, NOTHING } from './markup.ts';
import { CHANGES, type Layer } from './packing.ts';
import type { Block, Moment, Placed, Shelves } from './shelves.ts';

/** With more pods than these, a pod is no longer an element with a name: a page of 100,000 elements is slow. */
const MOST_NAMED_PODS = 3000;

/**
 * The nodes at one moment. A box is a glass of two halves that pods fill from below: cpu on the left, memory on the right.
 */
export function packingPicture({ blocks, width, height }: Shelves, moment: Moment, label: string): Markup {
  const pods = blocks.flatMap(({ placed }) => placed[moment].map(({ box }) => box[moment]?.length ?? 0));
  const named = pods.reduce((sum, n) => sum + n, 0) <= MOST_NAMED_PODS;
  return markup`<svg class="packing" viewBox="-1 0 ${width + 2} ${height + 1}" role="img" aria-label="${label}">
${blocks.map((block) => {
  return markup`${caption(block, moment)}${block.placed[moment].map((place) => glass(place, moment, named))}`;
})}
</svg>`;
}

function caption({ group, x, y, placed }: Block, moment: Moment): Markup {
  const text = group === CHANGES ? changes(placed[moment], moment) : `${group} (${placed[moment].length})`;
  return markup`<text class="caption" x="${n(x)}" y="${n(y)}">${text}</text>
`;
}

function changes(placed: readonly Placed[], moment: Moment): string {
  if (moment === 'before') return `leaving (${placed.length})`;
  const gone = placed.filter(({ box }) => box.after === undefined).length;
  const parts = [`new (${placed.length - gone})`, ...(gone === 0 ? [] : [`deleted (${gone})`])];
  return parts.slice(placed.length === gone ? 1 : 0).join(', ');
}

function glass(place: Placed, moment: Moment, named: boolean): Markup {
  const { box, x, y, width, height } = place;
  const layers = box[moment];
  const row = box.row === undefined ? NOTHING : markup` data-row="${box.row}"`;
  const gone = layers === undefined;
  return markup`<g class="${box.decision}${gone ? ' gone' : ''}"${row}><rect class="glass" x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}"><title>${box.about}${gone ? ' (gone)' : ''}</title></rect>${gone ? NOTHING : contents(place, layers, named)}</g>
`;
}

interface Part {
  readonly layer: Layer;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function contents(place: Placed, layers: readonly Layer[], named: boolean): readonly Markup[] {
  const { x, y, width, height, box } = place;
  // The rim of what changes is thick, and must not be covered.
  const rim = box.group === CHANGES ? 1.5 : 0.5;
  const inner = { x: x + rim, y: y + rim, width: (width - 2 * rim) / 2, height: height - 2 * rim };
  // What moves lies on top, where it is seen.
  const sorted = [...layers.filter((l) => !l.moves), ...layers.filter((l) => l.moves)];
  const parts = [
    ...stacked(sorted, 'cpu', inner),
    ...stacked(sorted, 'memory', { ...inner, x: inner.x + inner.width }),
  ].filter((part) => part.height > 0.05);
  return named ? parts.map(podBox) : [outline(parts, false), outline(parts, true)];
}

function stacked(layers: readonly Layer[], resource: 'cpu' | 'memory', inner: Omit<Part, 'layer'>): Part[] {
  let filled = 0;
  return layers.map((layer) => {
    const share = Math.min(layer[resource], 1 - filled);
    filled += share;
    return { ...inner, layer, y: inner.y + (1 - filled) * inner.height, height: share * inner.height };
  });
}

function podBox({ layer, x, y, width, height }: Part): Markup {
  // A line between pods, where there is room for one.
  const seam = height > 2 ? 0.5 : 0;
  return markup`<rect class="${layer.moves ? 'moves' : 'pod'}" x="${n(x)}" y="${n(y + seam)}" width="${n(width)}" height="${n(height - seam)}"><title>${layer.pod}</title></rect>`;
}

/** Parts that are not told apart, as one element: of each half, from the highest to the lowest. */
function outline(parts: readonly Part[], moves: boolean): Markup {
  const halves = Map.groupBy(
    parts.filter((part) => part.layer.moves === moves),
    (part) => part.x,
  );
  if (halves.size === 0) return NOTHING;
  const path = [...halves.values()].map((half) => {
    const { x, y, width } = half[half.length - 1];
    return `M${n(x)} ${n(y)}h${n(width)}V${n(half[0].y + half[0].height)}h${n(-width)}z`;
  });
  return markup`<path class="${moves ? 'moves' : 'pod'}" d="${path.join('')}"/>`;
}

/** A tenth of a pixel is as fine as anybody sees. */
function n(value: number): number {
  return Math.round(value * 10) / 10;
}
