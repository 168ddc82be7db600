import assert from 'node:assert/strict';
import { COMMAND_ANNOTATION } from '../../src/live/node-claim-object.ts';
import type { History, Moment } from './history.ts';
import { holds, type Pod } from './kube-objects.ts';

export interface Laws {
  /** By the label app: pods that must be ready at all times. */
  readonly atLeastReady?: Readonly<Record<string, number>>;
  /** Nodes that may be on their way out at once. */
  readonly mostLeaving?: number;
}

/** What must hold at every moment of a cluster's history, and at its end when nothing is under way any more. */
export function assertLaws(history: History, { atLeastReady = {}, mostLeaving = Infinity }: Laws = {}): void {
  let last: Moment | undefined;
  const begun = new Set<string>();
  const leavingSince = new Set<string>();
  for (const moment of history.moments()) {
    last = moment;
    const { change } = moment;
    if (change.kind === 'NodeClaim' && change.object.metadata.deletionTimestamp !== undefined) {
      const { name } = change.object.metadata;
      // A replacement may be lost again while the nodes that were deleted for it still drain, and others wait for that.
      if (!leavingSince.has(name)) replacementsAreUp(name, moment, leavingSince);
      leavingSince.add(name);
    }
    for (const [app, least] of Object.entries(atLeastReady)) {
      const ready = readyPods(moment, app);
      // A workload that is only just being rolled out has not been there yet.
      if (ready >= least) begun.add(app);
      if (begun.has(app)) assert.ok(ready >= least, `${app}: ${ready} ready, at least ${least} wanted`);
    }
    const leaving = [...moment.nodeClaims.values()].filter((c) => c.metadata.deletionTimestamp !== undefined);
    assert.ok(leaving.length <= mostLeaving, `${leaving.length} nodes leave at once`);
  }
  if (last !== undefined) nothingIsLeftBehind(last);
}

/** At the moment when the NodeClaim is deleted. */
function replacementsAreUp(name: string, { nodeClaims, commands }: Moment, leavingSince: ReadonlySet<string>): void {
  for (const { metadata, spec, status } of commands.values()) {
    if (!spec.nodes.some((n) => n.nodeClaim === name) || status.phase !== 'Draining') continue;
    if (spec.nodes.some((n) => leavingSince.has(n.nodeClaim))) continue;
    for (const { nodeClaim } of spec.replacements) {
      const claim = nodeClaims.get(nodeClaim);
      assert.ok(
        claim !== undefined && holds(claim, 'Initialized'),
        `${metadata.name}: ${name} goes before ${nodeClaim} is up`,
      );
    }
  }
}

function readyPods({ pods }: Moment, app: string): number {
  const isReady = (pod: Pod) =>
    pod.metadata.labels?.app === app && pod.metadata.deletionTimestamp === undefined && holds(pod, 'Ready');
  return [...pods.values()].filter(isReady).length;
}

function nothingIsLeftBehind({ nodes, nodeClaims, pods, commands }: Moment): void {
  for (const { metadata, status } of commands.values())
    assert.match(status.phase, /^(Done|Abandoned)$/, `${metadata.name} is not over`);
  for (const { metadata, spec } of nodes.values()) {
    const disrupted = spec.taints?.some(({ key }) => key === 'karpenter.sh/disrupted');
    assert.ok(!disrupted || metadata.deletionTimestamp !== undefined, `${metadata.name} is still tainted`);
  }
  const used = new Set([...pods.values()].map(({ spec }) => spec.nodeName));
  for (const { metadata, status } of nodeClaims.values()) {
    const command = commands.get(metadata.annotations?.[COMMAND_ANNOTATION] ?? '');
    const isLeft = command?.status.phase === 'Abandoned' && !used.has(status?.nodeName);
    assert.ok(!isLeft, `${metadata.name} was left behind by ${command?.metadata.name}`);
  }
}
