import { type LabelSelector, type Labels, labelOf } from '../cluster/objects.ts';

export interface CompiledSelector {
  matches(labels: Labels): boolean;
  /** A label of every match, for lookups; undefined if there is none. */
  readonly anchor?: readonly [key: string, value: string];
}

const SELECTS_NOTHING: CompiledSelector = { matches: () => false };
const SELECTS_EVERYTHING: CompiledSelector = { matches: () => true };

/** An absent selector selects nothing, an empty one everything; a malformed one selects nothing. */
export function compileSelector(selector: LabelSelector | undefined): CompiledSelector {
  if (selector === undefined) return SELECTS_NOTHING;
  const tests: ((labels: Labels) => boolean)[] = [];
  let anchor: readonly [string, string] | undefined;
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    anchor ??= [key, value];
    tests.push((labels) => labelOf(labels, key) === value);
  }
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    const set = new Set(values);
    switch (operator) {
      case 'In':
        if (set.size === 0) return SELECTS_NOTHING;
        if (set.size === 1) anchor ??= [key, values[0]];
        tests.push((labels) => set.has(labelOf(labels, key) as string));
        break;
      case 'NotIn':
        if (set.size === 0) return SELECTS_NOTHING;
        tests.push((labels) => !set.has(labelOf(labels, key) as string));
        break;
      case 'Exists':
        if (set.size > 0) return SELECTS_NOTHING;
        tests.push((labels) => labelOf(labels, key) !== undefined);
        break;
      case 'DoesNotExist':
        if (set.size > 0) return SELECTS_NOTHING;
        tests.push((labels) => labelOf(labels, key) === undefined);
        break;
      default:
        return SELECTS_NOTHING;
    }
  }
  if (tests.length === 0) return SELECTS_EVERYTHING;
  return { matches: (labels) => tests.every((test) => test(labels)), anchor };
}

/** Equal for selectors that differ only in order. */
export function selectorText(selector: LabelSelector | undefined): string {
  if (selector === undefined) return '';
  const labels = Object.entries(selector.matchLabels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const expressions = (selector.matchExpressions ?? []).map((e) =>
    JSON.stringify([e.key, e.operator, [...new Set(e.values ?? [])].sort()]),
  );
  return JSON.stringify([labels, [...new Set(expressions)].sort()]);
}
