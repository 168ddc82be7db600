import type { Plan, PlannedMove } from '../../src/engine/plan-document.ts';
import { carriedOut, type NumberedMove } from './carried-out.ts';
import { problemsOfWave } from './problems-of-wave.ts';
import {
  nodeCapacity,
  podRequests,
  prices,
  type RawObject,
  type RawSnapshot,
  shortage,
  sum,
  tolerates,
  typeCapacity,
} from './raw-snapshot.ts';

/**
 * Everything that is wrong with a Plan document, from the snapshot's raw JSON: an executor of the plan sees these two
 * and nothing of the engine. Empty for a sound plan. What a pod asks of other pods is the reference checker's business.
 */
export function problemsOfPlan(snapshot: RawSnapshot, plan: Plan): string[] {
  const problems = [...problemsOfTotals(snapshot, plan), ...problemsOfStaying(snapshot, plan)];
  const numbered = plan.moves.map((move, i) => ({ ...move, number: i + 1 }));
  let now = snapshot;
  for (const [wave, moves] of [...Map.groupBy(numbered, (m) => m.wave)].sort(([a], [b]) => a - b)) {
    problems.push(...problemsOfMoves(now, moves), ...problemsOfDestinations(now, moves));
    problems.push(...problemsOfWave(now, moves, snapshot).map((p) => `wave ${wave}: ${p}`));
    now = carriedOut(now, moves);
  }
  return problems;
}

const isSame = (a: number, b: number) => Math.abs(a - b) < 1e-6;

function problemsOfTotals(snapshot: RawSnapshot, { totals, moves, nodes }: Plan): string[] {
  const problems: string[] = [];
  const expect = (name: string, is: number, should: number) => {
    if (!isSame(is, should)) problems.push(`${name} is ${is}, not ${should}`);
  };
  const cents = nodesOf(snapshot).map((n) => centsOf(snapshot, n));
  expect('nodes', totals.nodes, nodesOf(snapshot).length);
  expect('pods', totals.pods, podsOf(snapshot).length);
  expect('centsPerHour', totals.centsPerHour, total(cents));
  expect('centsPerHour of nodes', total(nodes.map((n) => n.centsPerHour ?? 0)), total(cents));
  expect('savings', totals.savingsCentsPerHour, total(moves.map((m) => m.savingsCentsPerHour)));
  expect('planned', totals.plannedCentsPerHour, totals.centsPerHour - totals.savingsCentsPerHour);
  expect('evictions', totals.evictions, total(moves.map((m) => m.placements.length)));
  expect('disruptionCost', totals.disruptionCost, total(moves.map((m) => m.disruptionCost)));
  return problems;
}

function problemsOfMoves(snapshot: RawSnapshot, moves: readonly NumberedMove[]): string[] {
  const problems: string[] = [];
  const gone = new Set<string>();
  for (const move of moves) {
    const say = (text: string) => problems.push(`move ${move.number}: ${text}`);
    for (const name of move.nodes) {
      if (gone.has(name)) say(`${name} goes twice`);
      gone.add(name);
    }
    const nodes = nodesOf(snapshot).filter((n) => move.nodes.includes(n.metadata.name));
    if (nodes.length !== move.nodes.length) say('a node that is not there');
    for (const node of nodes) if (isProtected(node)) say(`${node.metadata.name} is protected`);
    const leaving = podsOf(snapshot).filter((p) => move.nodes.includes(p.spec?.nodeName ?? '') && isToMove(p));
    for (const pod of leaving) if (isProtected(pod)) say(`${pod.metadata.name} is protected`);
    const placed = move.placements.map((p) => p.pod).sort();
    if (JSON.stringify(placed) !== JSON.stringify(leaving.map(nameOf).sort())) say(`places ${placed.join(' ')}`);
    if (move.kind === 'delete' && move.replacements.length > 0) say('a deletion that launches something');
    if (move.kind === 'replace' && move.replacements.length === 0) say('a replacement by nothing');
    const saved = total(nodes.map((n) => centsOf(snapshot, n))) - total(move.replacements.map((r) => r.centsPerHour));
    if (!isSame(saved, move.savingsCentsPerHour)) say(`saves ${saved}, not ${move.savingsCentsPerHour}`);
    if (leaving.length > 0 && !(saved > 0)) say(`${saved} is no saving`);
    if (leaving.length > 0 && saved < move.requiredCentsPerHour - 1e-6) say(`${saved} is less than required`);
    problems.push(...problemsOfReplacements(snapshot, move).map((p) => `move ${move.number}: ${p}`));
  }
  return problems;
}

/** Each will do as whichever of its types it is launched, and costs at most what the plan says. */
function problemsOfReplacements(snapshot: RawSnapshot, move: PlannedMove): string[] {
  const problems: string[] = [];
  for (const [k, r] of move.replacements.entries()) {
    const here = move.placements.filter((p) => p.to === `new-${k + 1}`).map((p) => p.pod);
    const pods = podsOf(snapshot).filter((p) => here.includes(nameOf(p)));
    const pool = snapshot.objects.find((o) => o.kind === 'NodePool' && o.metadata.name === r.nodePool);
    const { taints } = pool?.spec?.template?.spec ?? {};
    const daemons = snapshot.objects
      .filter((o) => o.kind === 'DaemonSet')
      .flatMap((o) => o.spec?.template ?? [])
      .filter(({ spec }) => tolerates(spec.tolerations, taints) && spec.nodeSelector === undefined);
    if (pods.length === 0) problems.push(`nothing goes to new-${k + 1}`);
    for (const pod of pods) {
      if (!tolerates(pod.spec?.tolerations, taints)) problems.push(`${nameOf(pod)} does not tolerate ${r.nodePool}`);
      const zone = pod.spec?.nodeSelector?.['topology.kubernetes.io/zone'];
      if (zone !== undefined && r.zones.some((z) => z !== zone)) problems.push(`${nameOf(pod)} may leave its zone`);
    }
    for (const name of r.instanceTypes) {
      const type = snapshot.instanceTypes.find((t) => t.name === name);
      if (type === undefined) {
        problems.push(`no type ${name}`);
        continue;
      }
      const asked = sum([...pods, ...daemons].map(podRequests));
      problems.push(...shortage(asked, typeCapacity(type)).map((p) => `new-${k + 1} as ${name}: ${p}`));
      const offered = prices(type, true).filter(
        (o) => isOneOf(r.zones, o.zone) && isOneOf(r.capacityTypes, o.capacityType),
      );
      if (offered.length === 0) problems.push(`${name} cannot be had there`);
    }
  }
  return problems;
}

/** After the moves of a wave, in any order: what is placed on nodes that stay fits there beside what is there. */
function problemsOfDestinations(snapshot: RawSnapshot, moves: readonly NumberedMove[]): string[] {
  const problems: string[] = [];
  const gone = new Set(moves.flatMap((m) => m.nodes));
  const arriving = Map.groupBy(
    moves.flatMap((m) => m.placements.filter((p) => !/^new-\d+$/.test(p.to))),
    (p) => p.to,
  );
  const pods = new Map(podsOf(snapshot).map((p) => [nameOf(p), p]));
  for (const [name, placements] of arriving) {
    const node = nodesOf(snapshot).find((n) => n.metadata.name === name);
    if (node === undefined || gone.has(name)) {
      problems.push(`${name} takes pods in and is not there`);
      continue;
    }
    const there = [...pods.values()].filter((p) => p.spec?.nodeName === name && isRunning(p));
    const own = placements.flatMap((p) => pods.get(p.pod) ?? []);
    problems.push(
      ...shortage(sum([...there, ...own].map(podRequests)), nodeCapacity(node)).map((p) => `${name}: ${p}`),
    );
    for (const pod of own) {
      const { nodeSelector = {}, tolerations } = pod.spec ?? {};
      const missing = Object.entries(nodeSelector).filter(([key, value]) => node.metadata.labels?.[key] !== value);
      if (missing.length > 0) problems.push(`${nameOf(pod)} asks for ${missing[0]} and not ${name}`);
      if (!tolerates(tolerations, node.spec?.taints)) problems.push(`${nameOf(pod)} does not tolerate ${name}`);
    }
  }
  return problems;
}

/** Every node that stays says why, in words. */
function problemsOfStaying(snapshot: RawSnapshot, { moves, nodes }: Plan): string[] {
  const gone = new Set(moves.flatMap((m) => m.nodes));
  const listed = nodes.map((n) => n.name).sort();
  const problems =
    JSON.stringify(listed) ===
    JSON.stringify(
      nodesOf(snapshot)
        .map((n) => n.metadata.name)
        .sort(),
    )
      ? []
      : ['not all nodes are listed, or too many'];
  for (const { name, candidate, refusals, alone } of nodes) {
    if (gone.has(name) && !candidate) problems.push(`${name} goes and is no candidate`);
    if (!candidate && refusals.length === 0) problems.push(`${name} is no candidate, without a reason`);
    if (candidate && alone.decision === 'none' && refusals.length === 0) problems.push(`${name} stays without a word`);
    for (const { code, message } of refusals) if (message.trim() === '') problems.push(`${name}: ${code} has no words`);
  }
  return problems;
}

function isOneOf(allowed: readonly string[], value: string): boolean {
  return allowed.length === 0 || allowed.includes('*') || allowed.includes(value);
}

function centsOf({ instanceTypes }: RawSnapshot, { metadata: { labels = {} } }: RawObject): number {
  const type = instanceTypes.find((t) => t.name === labels['node.kubernetes.io/instance-type']);
  const offering =
    type &&
    prices(type, false).find(
      (o) =>
        o.zone === labels['topology.kubernetes.io/zone'] && o.capacityType === labels['karpenter.sh/capacity-type'],
    );
  return (offering?.price ?? 0) * 100;
}

function nodesOf({ objects }: RawSnapshot): readonly RawObject[] {
  return objects.filter((o) => o.kind === 'Node');
}

function podsOf({ objects }: RawSnapshot): readonly RawObject[] {
  return objects.filter((o) => o.kind === 'Pod');
}

function isRunning({ status }: RawObject): boolean {
  return status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

/** Pods that have to run elsewhere when their node goes. */
function isToMove(pod: RawObject): boolean {
  const owners = pod.metadata.ownerReferences ?? [];
  return (
    isRunning(pod) &&
    pod.metadata.deletionTimestamp === undefined &&
    !owners.some((o) => o.kind === 'DaemonSet' || o.kind === 'Node')
  );
}

function isProtected({ metadata: { annotations = {} } }: RawObject): boolean {
  return annotations['karpenter.sh/do-not-disrupt'] === 'true';
}

function nameOf({ metadata: { namespace = 'default', name } }: RawObject): string {
  return `${namespace}/${name}`;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
