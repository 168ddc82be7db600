import { type LabelSelector, type Labels, labelOf } from '../cluster/objects.ts';

export interface CompiledSelector {
  matches(labels: Labels): boolean;
  /** Every match has this label with one of these values; undefined if there is no such label. */
  readonly anchor?: Anchor;
}

interface Anchor {
  readonly key: string;
  readonly values: readonly string[];
}

const SELECTS_NOTHING: CompiledSelector = { matches: () => false };
const SELECTS_EVERYTHING: CompiledSelector = { matches: () => true };

/** An absent selector selects nothing, an empty one everything; a malformed one selects nothing. */
export function compileSelector(selector: LabelSelector | undefined): CompiledSelector {
  if (selector === undefined) return SELECTS_NOTHING;
  const tests: ((labels: Labels) => boolean)[] = [];
  let anchor: Anchor | undefined;
  const fewest = (a: Anchor | undefined, b: Anchor) => (a === undefined || b.values.length < a.values.length ? b : a);
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    anchor = fewest(anchor, { key, values: [value] });
    tests.push((labels) => labelOf(labels, key) === value);
  }
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    const set = new Set(values);
    switch (operator) {
      case 'In':
        if (set.size === 0) return SELECTS_NOTHING;
        anchor = fewest(anchor, { key, values: [...set] });
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
