/**
 * Whether each point is on the Pareto front: no other point is at least as good (as low) in all dimensions and better in
 * one. Equal points are on it together or not at all.
 */
export function onParetoFront(points: readonly (readonly number[])[]): readonly boolean[] {
  return points.map((point) => !points.some((other) => dominates(other, point)));
}

function dominates(a: readonly number[], b: readonly number[]): boolean {
  return a.every((value, i) => value <= b[i]) && a.some((value, i) => value < b[i]);
}
