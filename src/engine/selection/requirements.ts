import type { Labels, NodeSelectorRequirement } from '../cluster/objects.ts';
import { allowsAbsence, fromSelector, intersection, oneOf, overlaps, type Requirement } from './requirement.ts';

/** By label key. Absent keys are not restricted. */
export type Requirements = ReadonlyMap<string, Requirement>;

export const UNRESTRICTED: Requirements = new Map();

/** Restricts `target` further. */
export function add(target: Map<string, Requirement>, r: Requirement): void {
  const existing = target.get(r.key);
  target.set(r.key, existing === undefined ? r : intersection(r, existing));
}

export function intersectAll(...parts: readonly Iterable<Requirement>[]): Requirements {
  const out = new Map<string, Requirement>();
  for (const part of parts) for (const r of part) add(out, r);
  return out;
}

export function fromSelectors(list: readonly NodeSelectorRequirement[]): Requirements {
  return intersectAll(list.map(fromSelector));
}

export function fromLabels(labels: Labels): Requirements {
  return intersectAll(Object.entries(labels).map(([key, value]) => oneOf(key, [value])));
}

/** Shared keys must overlap, except if both sides accept the label's absence. Keys of one side only are ignored. */
export function overlapOnSharedKeys(a: Requirements, b: Requirements): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  for (const [key, r] of small) {
    const other = large.get(key);
    if (other !== undefined && !overlaps(r, other) && !(allowsAbsence(r) && allowsAbsence(other))) return false;
  }
  return true;
}

/**
 * Whether something that requires `wanted` may run where `offered` holds. Keys that `offered` does not define are
 * refused unless `wanted` accepts their absence or the key is in `open` (labels for which a new node may take any
 * value).
 */
export function compatible(offered: Requirements, wanted: Requirements, open: ReadonlySet<string>): boolean {
  for (const [key, r] of wanted) {
    if (!open.has(key) && !offered.has(key) && !allowsAbsence(r)) return false;
  }
  return overlapOnSharedKeys(offered, wanted);
}

export const NONE_OPEN: ReadonlySet<string> = new Set();

export function hasMinValues(requirements: Requirements): boolean {
  for (const r of requirements.values()) if (r.minValues !== undefined) return true;
  return false;
}
