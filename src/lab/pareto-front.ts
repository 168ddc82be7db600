export interface Tradeoff {
  readonly cost: number;
  readonly evictions: number;
}

/**
 * Whether each point is on the front: no other is at least as good in both and better in one. Points that are equal in
 * both are on it together or not at all.
 */
export function onParetoFront(points: readonly Tradeoff[]): readonly boolean[] {
  const order = points.map((_, i) => i).sort((a, b) => compare(points[a], points[b]));
  const front = points.map(() => false);
  // From the cheapest on, and of the equally cheap the calmest first: a point is beaten by some point that came
  // before it, and the calmest of those beats whatever any of them beats.
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
