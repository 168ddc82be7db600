export interface Tradeoff {
  readonly cost: number;
  readonly evictions: number;
}

/**
 * Whether each point is on the front: no other point is at least as good in both dimensions and better in one. Equal
 * points are on it together or not at all.
 */
export function onParetoFront(points: readonly Tradeoff[]): readonly boolean[] {
  const order = points.map((_, i) => i).sort((a, b) => compare(points[a], points[b]));
  const front = points.map(() => false);
  // Sorted by cost, then evictions: a point is dominated if the fewest evictions so far are fewer.
  let best: Tradeoff | undefined;
  for (const i of order) {
    const point = points[i];
    if (best === undefined || point.evictions < best.evictions) best = point;
    else if (compare(point, best) !== 0) continue;
    front[i] = true;
  }
  return front;
}

function compare(a: Tradeoff, b: Tradeoff): number {
  return a.cost - b.cost || a.evictions - b.evictions;
}
