/** A node's size and group. */
export interface NodeBox {
  readonly name: string;
  /** Millicores and bytes, allocatable. */
  readonly cpu: number;
  readonly memory: number;
  readonly group: string;
}

/** A node's position in page pixels. */
export interface NodePlace {
  /** Index of the node. */
  readonly node: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Caption {
  readonly group: string;
  readonly nodes: number;
  readonly x: number;
  /** Baseline of the text. */
  readonly y: number;
}

export interface PictureLayout {
  readonly places: readonly NodePlace[];
  readonly captions: readonly Caption[];
  readonly width: number;
  readonly height: number;
}

const CAPTION = 24;
const BASELINE = 16;
/** Average letter of a caption, in pixels. */
const LETTER = 7;
const BLOCK_GAP = 12;
/** Pixels per square root of a core: few nodes do not fill the screen, and of thousands each can still be clicked. */
const LARGEST_SCALE = 42;
const SMALLEST_SCALE = 3.5;
const SMALLEST_SIDE = 6;
/** Bisection steps: the height is within 1 % of the requested one. */
const ROUNDS = 8;

export interface Wishes {
  /** Groups to place before the others, which are ordered by name. */
  readonly first?: readonly string[];
  /** Another picture shown beside this one, at the same scale. */
  readonly beside?: readonly NodeBox[];
}

/**
 * Nodes on shelves, by group, as large as the size allows. Below the smallest scale the picture exceeds the height, and
 * the page scrolls.
 */
export function layOut(nodes: readonly NodeBox[], room: Size, { first = [], beside = [] }: Wishes = {}): PictureLayout {
  const groups = groupsOf(nodes, first);
  const scale = Math.min(scaleFor(groups, room), scaleFor(groupsOf(beside, first), room));
  return placed(groups, shelvedGroups(groups, room.width, scale), room.width);
}

function scaleFor(groups: readonly Group[], room: Size): number {
  const fits = (scale: number) => shelvedGroups(groups, room.width, scale).all.height <= room.height;
  let [low, high] = [SMALLEST_SCALE, LARGEST_SCALE];
  if (fits(high)) low = high;
  for (let round = 0; round < ROUNDS && low < high; round++) {
    const middle = Math.sqrt(low * high);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

interface Group {
  readonly title: string;
  /** Indices of nodes with their sides at scale 1, tallest first so that shelves are even. */
  readonly members: readonly (Size & { readonly node: number })[];
}

function groupsOf(nodes: readonly NodeBox[], first: readonly string[]): readonly Group[] {
  const indices = nodes.map((_, i) => i);
  const isLater = (title: string) => Number(!first.includes(title));
  const byTitle = [...Map.groupBy(indices, (i) => nodes[i].group)].sort(
    ([a], [b]) => isLater(a) - isLater(b) || (a < b ? -1 : 1),
  );
  return byTitle.map(([title, list]) => ({
    title,
    members: list
      .map((node) => ({ ...sidesOf(nodes[node]), node }))
      .sort((a, b) => b.height - a.height || b.width - a.width || (nodes[a.node].name < nodes[b.node].name ? -1 : 1)),
  }));
}

interface Block extends Size {
  readonly sizes: readonly Size[];
  readonly inside: Shelved;
}

function shelvedGroups(groups: readonly Group[], room: number, scale: number) {
  const gap = scale < 8 ? 1.5 : 3;
  const blocks = groups.map(({ title, members }): Block => {
    const sizes = members.map(({ width, height }) => ({
      width: Math.min(room, Math.max(SMALLEST_SIDE, width * scale)),
      height: Math.max(SMALLEST_SIDE, height * scale),
    }));
    const inside = shelve(sizes, room, gap);
    return { sizes, inside, width: Math.max(inside.width, captionWidth(title)), height: inside.height + CAPTION };
  });
  return { blocks, all: shelve(blocks, room, BLOCK_GAP) };
}

function placed(
  groups: readonly Group[],
  { blocks, all }: ReturnType<typeof shelvedGroups>,
  width: number,
): PictureLayout {
  const places: NodePlace[] = [];
  const captions = groups.map(({ title, members }, g): Caption => {
    const { x, y } = all.corners[g];
    const { sizes, inside } = blocks[g];
    members.forEach(({ node }, i) => {
      const corner = inside.corners[i];
      places.push({ node, x: x + corner.x, y: y + CAPTION + corner.y, ...sizes[i] });
    });
    return { group: title, nodes: members.length, x, y: y + BASELINE };
  });
  return { places, captions, width, height: Math.ceil(all.height) };
}

/** Includes space for the number of nodes. */
function captionWidth(title: string): number {
  return (title.length + 8) * LETTER;
}

/** Index in `places` at this point. */
export function placeAt({ places }: PictureLayout, x: number, y: number): number | undefined {
  const found = places.findIndex((p) => x >= p.x && x <= p.x + p.width && y >= p.y && y <= p.y + p.height);
  return found < 0 ? undefined : found;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The next node for an arrow key: the nearest whose middle lies in that direction, straight before diagonal. */
export function adjacentNode({ places }: PictureLayout, from: number, direction: Direction): number {
  const [dx, dy] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[direction];
  const middle = ({ x, y, width, height }: NodePlace) => ({ x: x + width / 2, y: y + height / 2 });
  const start = middle(places[from]);
  let [best, least] = [from, Number.POSITIVE_INFINITY];
  places.forEach((place, i) => {
    const { x, y } = middle(place);
    const along = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    if (i === from || along < 0.5 || aside > 4 * along + 2) return;
    const distance = along + 3 * aside;
    if (distance < least) [best, least] = [i, distance];
  });
  return best;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Shelved {
  readonly corners: readonly { readonly x: number; readonly y: number }[];
  readonly width: number;
  readonly height: number;
}

/** From left to right in the given order; an item that does not fit begins a new shelf. */
function shelve(items: readonly Size[], width: number, gap: number): Shelved {
  const corners: { x: number; y: number }[] = [];
  let [x, y, tallest, used] = [0, 0, 0, 0];
  for (const item of items) {
    if (x > 0 && x + item.width > width) {
      y += tallest + gap;
      x = 0;
      tallest = 0;
    }
    corners.push({ x, y });
    x += item.width + gap;
    used = Math.max(used, x - gap);
    tallest = Math.max(tallest, item.height);
  }
  return { corners, width: used, height: y + tallest };
}

/** The sides of a node's box: its area grows with its capacity, and 4 GiB per core is a square. */
function sidesOf({ cpu, memory }: { readonly cpu: number; readonly memory: number }): Size {
  return { width: Math.sqrt(cpu / 1000), height: Math.sqrt(memory / 2 ** 32) };
}
