import type { ClusterView } from '../../src/controller/cluster-port.ts';
import { isOpen } from '../../src/controller/command.ts';
import { isTaken } from '../../src/controller/leaving.ts';
import { isDaemonPod } from '../../src/engine/cluster/pods.ts';
import { DISRUPTED_TAINT } from '../../src/engine/cluster/well-known.ts';

/** Far above all timeouts of a command together, apart from the drain. */
const LONGEST_COMMAND_MS = 30 * 60_000;

/** Looks now and then for what commands should have removed. What two looks in a row find is a leak. */
export class LeakWatch {
  readonly leaks = new Set<string>();
  private last: readonly string[] = [];

  look(view: ClusterView): void {
    const found = leftBehind(view);
    for (const each of found) if (this.last.includes(each)) this.leaks.add(each);
    this.last = found;
  }
}

/** Taints, NodeClaims, extra replicas and commands that nothing accounts for at this moment. */
export function leftBehind({ objects, commands }: ClusterView): readonly string[] {
  const { nodes, nodeClaims, pods, workloads, nowMs } = objects;
  const open = commands.filter(isOpen);
  const staying = new Map(nodeClaims.filter((c) => !c.terminating && !isTaken(c)).map((c) => [c.name, c.nodeName]));
  const names = new Set(staying.values());
  const held = new Set(open.flatMap((c) => c.nodes.map((n) => n.node)));
  const used = new Set(pods.filter((p) => !isDaemonPod(p)).map((p) => p.nodeName));
  const tainted = nodes.filter(({ taints }) => taints.some(({ key }) => key === DISRUPTED_TAINT.key));
  const abandoned = commands.filter(({ phase }) => phase === 'abandoned').flatMap((c) => c.replacements);
  return [
    ...tainted.filter(({ name }) => names.has(name) && !held.has(name)).map(({ name }) => `${name} is tainted`),
    ...abandoned
      .filter(({ nodeClaim }) => staying.has(nodeClaim) && !used.has(staying.get(nodeClaim) ?? ''))
      .map(({ nodeClaim }) => `${nodeClaim} of an abandoned command is empty`),
    ...workloads
      .filter(({ rollout }) => !open.some(({ id }) => id === (rollout?.extraReplica ?? id)))
      .filter(({ rollout }) => rollout?.extraReplica !== undefined)
      .map(({ name }) => `${name} has an extra replica`),
    ...open
      .filter(({ decidedMs }) => nowMs - decidedMs > LONGEST_COMMAND_MS)
      .map(({ id, phase }) => `command ${id} is ${phase}`),
  ];
}

/** What steering leaves on nodes and pods; nodes of open commands have the soft taint too. */
export function steered({ objects: { nodes, pods }, commands }: ClusterView): readonly string[] {
  const held = new Set(commands.filter(isOpen).flatMap((c) => c.nodes.map((n) => n.node)));
  return [
    ...nodes.filter((n) => n.steered === true && !held.has(n.name)).map(({ name }) => `${name} has the soft taint`),
    ...pods.filter((p) => p.steeredCost !== undefined).map(({ name }) => `${name} has a deletion cost`),
  ];
}
