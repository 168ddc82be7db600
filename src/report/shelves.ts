import { type Box, CHANGES } from './packing.ts';
import { type Size, shelve, sidesOf } from './shelving.ts';

/** Where a box stands, in the units of the picture. */
export interface Placed {
  readonly box: Box;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Moment = 'before' | 'after';

/** A group's boxes, below a caption. */
export interface Block {
  readonly group: string;
  readonly x: number;
  readonly y: number;
  readonly placed: Readonly<Record<Moment, readonly Placed[]>>;
}

export interface Shelves {
  readonly blocks: readonly Block[];
  readonly width: number;
  readonly height: number;
}

const WIDTH = 600;
/** What a thousand nodes are shrunk to; few nodes take less. */
const HEIGHT = 640;
const GAP = 3;
const BLOCK_GAP = 18;
const CAPTION = 18;
/** Of a caption's text, on average. */
const LETTER = 6.5;
/** Pixels for the square root of a core: no larger than this, or four nodes would fill the page. */
const LARGEST_SCALE = 22;
const SMALLEST_SIDE = 4;

/**
 * Boxes on shelves, group by group, and small groups beside each other. Nodes that stay have the same place at both
 * moments, and new ones are where those were that they replace.
 */
export function shelves(boxes: readonly Box[]): Shelves {
  const scale = Math.min(scaleFor(boxes.filter(isThere.before)), scaleFor(boxes.filter(isThere.after)));
  const groups = groupsOf(boxes).map(([group, members]) => {
    const before = shelved(members.filter(isThere.before), scale);
    const after = shelved(members.filter(isThere.after), scale);
    const width = Math.max(before.width, after.width, captionWidth(group));
    return { group, before, after, width, height: Math.max(before.height, after.height) + CAPTION };
  });
  const all = shelve(groups, WIDTH, BLOCK_GAP);
  const blocks = groups.map(({ group, before, after }, g) => {
    const { x, y } = all.corners[g];
    const moved = (list: readonly Placed[]) => {
      return list.map((place) => ({ ...place, x: place.x + x, y: place.y + y + CAPTION }));
    };
    return { group, x, y: y + CAPTION - 6, placed: { before: moved(before.placed), after: moved(after.placed) } };
  });
  return { blocks, width: WIDTH, height: Math.ceil(all.height) };
}

/** Of nodes that go for good an outline is left. */
const isThere: Readonly<Record<Moment, (box: Box) => boolean>> = {
  before: ({ before }) => before !== undefined,
  after: ({ after, decision }) => after !== undefined || decision === 'delete',
};

function shelved(boxes: readonly Box[], scale: number) {
  const items = sized(boxes, scale);
  const { corners, width, height } = shelve(items, WIDTH, GAP);
  return { width, height, placed: items.map((item, i): Placed => ({ ...item, ...corners[i] })) };
}

function scaleFor(boxes: readonly Box[]): number {
  const area = boxes.map(sidesOf).reduce((sum, { width, height }) => sum + width * height, 0);
  // A sixth is lost between boxes of different height.
  return Math.min(LARGEST_SCALE, Math.sqrt((WIDTH * HEIGHT) / 1.2 / Math.max(1, area)));
}

/** What changes first, then pools by name. */
function groupsOf(boxes: readonly Box[]): readonly [string, readonly Box[]][] {
  const groups = [...Map.groupBy(boxes, ({ group }) => group)];
  return groups.sort(([a], [b]) => Number(b === CHANGES) - Number(a === CHANGES) || (a < b ? -1 : 1));
}

/** The tallest first, so that shelves are even; outlines last. */
function sized(boxes: readonly Box[], scale: number): readonly (Size & { readonly box: Box })[] {
  return boxes
    .map((box) => {
      const { width, height } = sidesOf(box);
      return {
        box,
        width: Math.min(WIDTH, Math.max(SMALLEST_SIDE, width * scale)),
        height: Math.max(SMALLEST_SIDE, height * scale),
      };
    })
    .sort(
      (a, b) =>
        rank(a.box) - rank(b.box) || b.height - a.height || b.width - a.width || (a.box.name < b.box.name ? -1 : 1),
    );
}

function rank({ before, after }: Box): number {
  return before !== undefined && after === undefined ? 1 : 0;
}

/** With room for the number of nodes. */
function captionWidth(group: string): number {
  return (group.length + 8) * LETTER;
}
