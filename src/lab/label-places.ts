/** In pixels, y downwards. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface Labelled {
  readonly x: number;
  readonly y: number;
  /** '' for none. */
  readonly label: string;
}

export interface PlacedLabel {
  /** Where the text begins, or with `toLeft` ends, and its baseline. */
  readonly x: number;
  readonly y: number;
  readonly toLeft: boolean;
  readonly box: Box;
}

/** Of text, at the largest size of the page. */
const CHARACTER = 8.5;
const ASCENT = 12;
const DESCENT = 4;
const RADIUS = 7;
/** How far labels may be from their points, by steps of a line. */
const STEPS = 5;
const LINE = ASCENT + DESCENT;

/**
 * A place for each label, near its point and within `room`, that overlaps no point, no other label, and not the stairs
 * through the points of `front`, which go right and then down; where there is none, the place that overlaps least.
 */
export function labelPlaces(
  points: readonly Labelled[],
  front: readonly Pick<Labelled, 'x' | 'y'>[],
  room: Box,
): readonly PlacedLabel[] {
  const taken: Box[] = [
    ...points.map(({ x, y }) => ({ left: x - RADIUS, right: x + RADIUS, top: y - RADIUS, bottom: y + RADIUS })),
    ...front.slice(1).flatMap((to, i) => steps(front[i], to)),
  ];
  return points.map((point) => {
    const places = candidates(point);
    const overlaps = places.map(({ box }) =>
      isWithin(box, room) ? taken.filter((t) => isOverlap(box, t)).length : 99,
    );
    const best = places[overlaps.indexOf(Math.min(...overlaps))];
    if (point.label !== '') taken.push(best.box);
    return best;
  });
}

type Corner = Pick<Labelled, 'x' | 'y'>;

/** The two lines from one point of the stairs to the next. */
function steps(from: Corner, to: Corner): readonly Box[] {
  const across = { left: Math.min(from.x, to.x), right: Math.max(from.x, to.x), top: from.y - 2, bottom: from.y + 2 };
  const down = { left: to.x - 2, right: to.x + 2, top: Math.min(from.y, to.y), bottom: Math.max(from.y, to.y) };
  return [across, down];
}

/** The nearest first: above and beside the point, below and beside it, on its height, and then line by line away from it. */
function candidates({ x, y, label }: Labelled): readonly PlacedLabel[] {
  const width = label.length * CHARACTER;
  const heights = Array.from({ length: STEPS }, (_, i) => [y - 7 - i * LINE, y + 17 + i * LINE]).flat();
  return [...heights.slice(0, 2), y + 5, ...heights.slice(2)].flatMap((baseline) => {
    const gap = baseline === y + 5 ? 11 : 8;
    const vertical = { top: baseline - ASCENT, bottom: baseline + DESCENT };
    const toRight = { x: x + gap, y: baseline, toLeft: false };
    const toLeft = { x: x - gap, y: baseline, toLeft: true };
    return [
      { ...toRight, box: { ...vertical, left: toRight.x, right: toRight.x + width } },
      { ...toLeft, box: { ...vertical, left: toLeft.x - width, right: toLeft.x } },
    ];
  });
}

function isWithin(box: Box, room: Box): boolean {
  return box.left >= room.left && box.right <= room.right && box.top >= room.top && box.bottom <= room.bottom;
}

export function isOverlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
