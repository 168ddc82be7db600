import type { CompileSettings, Membership } from './compiled-cluster.ts';
import type { GroupId, GroupRule } from './group-rules.ts';
import type { PodShape, PodStage } from './pod-shapes.ts';

/**
 * More pairs of pod labels and groups than in clusters whose constraints select their own workloads. Every placement
 * costs as much as its labels have groups, so beyond this, groups that select the same pods are merged.
 */
const MOST_PAIRS = 50_000;
/** Pairs compared before other work gets a turn. */
const PAIRS_AT_ONCE = 100_000;

/** Relations of pods and groups. */
export interface GroupedPods {
  readonly membershipOfPod: readonly Membership[];
  readonly shapeOfPod: readonly (PodShape | undefined)[];
  readonly shapesInUse: ReadonlySet<PodShape>;
}

/**
 * Merges anti-affinity groups that select the same pods of this cluster: a group repels pods where its count is not
 * zero, so the sum of two counts is equivalent. Other pods would give other equal groups: this is valid for one
 * compiled cluster only. Karpenter creates groups when a pod first needs them, so compat does not merge. `most`: an upper
 * bound on the pairs.
 */
export function* mergeEqualGroups(
  rules: readonly GroupRule[],
  { membershipOfPod, shapeOfPod, shapesInUse }: GroupedPods,
  most: number,
  { compat }: CompileSettings,
): Generator<void, GroupedPods & { readonly groupsMerged: boolean }> {
  const unmerged = { membershipOfPod, shapeOfPod, shapesInUse, groupsMerged: false };
  if (compat || most <= MOST_PAIRS) return unmerged;
  const distinct = [...new Set(membershipOfPod)];
  let pairs = 0;
  for (const { counted, repelledByHost, repelledByDomain } of distinct)
    pairs += counted.length + repelledByHost.length + repelledByDomain.length;
  if (pairs <= MOST_PAIRS) return unmerged;
  const instead = yield* equalGroups(rules, distinct);
  const kept = (groups: readonly GroupId[]) => groups.filter((g) => instead[g] === g);
  const memberships = new Map(
    distinct.map((m): [Membership, Membership] => [
      m,
      {
        running: kept(m.running),
        counted: kept(m.counted),
        repelledByHost: kept(m.repelledByHost),
        repelledByDomain: kept(m.repelledByDomain),
      },
    ]),
  );
  const shapes = new Map([...shapesInUse].map((shape) => [shape, shapeWith(shape, instead)]));
  return {
    membershipOfPod: membershipOfPod.map((m) => memberships.get(m) as Membership),
    shapeOfPod: shapeOfPod.map((shape) => (shape === undefined ? undefined : shapes.get(shape))),
    shapesInUse: new Set(shapes.values()),
    groupsMerged: true,
  };
}

/** By group: the first group that selects and counts the same pods. */
function* equalGroups(rules: readonly GroupRule[], memberships: readonly Membership[]): Generator<void, Int32Array> {
  const selected: number[][] = rules.map(() => []);
  let pairs = 0;
  for (const [i, { running, counted, repelledByHost, repelledByDomain }] of memberships.entries()) {
    for (const g of running) selected[g].push(2 * i);
    for (const groups of [counted, repelledByHost, repelledByDomain]) {
      for (const g of groups) selected[g].push(2 * i + 1);
      pairs += groups.length;
    }
    if (pairs < PAIRS_AT_ONCE) continue;
    pairs = 0;
    yield;
  }
  const first = new Map<string, GroupId>();
  const out = Int32Array.from(rules, ({ id }) => id);
  for (const { id, kind, inverse, key, makeableFor } of rules) {
    if (kind !== 'anti-affinity') continue;
    const text = `${JSON.stringify([inverse, key, makeableFor])} ${selected[id]}`;
    out[id] = first.get(text) ?? id;
    first.set(text, out[id]);
    pairs += selected[id].length;
    if (pairs < PAIRS_AT_ONCE) continue;
    pairs = 0;
    yield;
  }
  return out;
}

function shapeWith(shape: PodShape, instead: Int32Array): PodShape {
  const merged = (groups: readonly GroupId[]) => [...new Set(groups.map((g) => instead[g]))];
  const stages = shape.stages.map(
    (stage): PodStage => ({ ...stage, byHost: merged(stage.byHost), byDomain: merged(stage.byDomain) }),
  );
  return { ...shape, stages, repels: merged(shape.repels) };
}
