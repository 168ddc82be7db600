import { INSTANCE_TYPE } from '../engine/cluster/well-known.ts';
import type { Candidate } from '../engine/disruption/candidates.ts';
import type { Move } from '../engine/moves/move.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import { freeForMoves } from '../engine/scheduling/destinations.ts';
import { obstaclesOf } from '../engine/scheduling/obstacles.ts';
import { netCents } from '../engine/search/net-benefit.ts';
import type { SearchProblem } from '../engine/search/problem.ts';
import { Trials } from '../engine/search/trials.ts';
import type { BlockingFact } from './command.ts';

export type Checked =
  | { readonly move: Move }
  /** `blockedBy`: the pod, node and resource, if known. */
  | { readonly reason: string; readonly blockedBy?: BlockingFact };

/**
 * The checks of a pass before it proposes a move, which validation repeats: whether the pods fit at their planned
 * destinations, and whether they fit when placed first fit. kube-scheduler knows no plans, and would not keep to a
 * packing that only a search finds. Each move is checked on the cluster that the ones before leave.
 */
export class MoveCheck {
  private readonly problem: SearchProblem;
  private readonly trials: Trials;

  constructor(problem: SearchProblem) {
    this.problem = problem;
    this.trials = new Trials(problem);
  }

  /** As `check`, with the pod, node and resource that a refusal is about: finding them examines every node. */
  checkAndExplain(
    candidates: readonly Candidate[],
    replacements: number,
    hints: ReadonlyMap<number, number> | undefined,
  ): Checked {
    const checked = this.check(candidates, replacements, hints);
    if ('move' in checked || !isAboutRoom(checked.reason)) return checked;
    const blockedBy = this.blockingFact(candidates, replacements);
    return blockedBy === undefined ? checked : { ...checked, blockedBy };
  }

  /** The better of both moves if both checks pass, with as few new nodes as it needs; it stays for the moves after it. */
  check(candidates: readonly Candidate[], most: number, hints: ReadonlyMap<number, number> | undefined): Checked {
    const { simulation } = this.problem;
    const { depth } = simulation;
    const trial = this.trials.attemptInAnyStyle(candidates, most);
    if ('refusal' in trial) return { reason: typeof trial.refusal === 'string' ? trial.refusal : trial.refusal.code };
    if (hints === undefined) return this.kept(candidates, most, undefined);
    const planned = this.trials.keep(candidates, most, hints);
    if (planned === undefined) return { reason: 'plan-outdated' };
    if (!isBetter(trial.move, planned)) return { move: planned };
    simulation.undoTo(depth);
    return this.kept(candidates, most, undefined);
  }

  private kept(
    candidates: readonly Candidate[],
    most: number,
    hints: ReadonlyMap<number, number> | undefined,
  ): Checked {
    const move = this.trials.keep(candidates, most, hints);
    return move === undefined ? { reason: 'not-approved' } : { move };
  }

  /** The first pod that needs more new nodes than allowed, and the node that lacks least for it. */
  private blockingFact(candidates: readonly Candidate[], most: number): BlockingFact | undefined {
    const { simulation } = this.problem;
    const rows = candidates.map((c) => c.row);
    return simulation.removing(
      rows,
      ({ unplaced, claims }) => {
        const { cluster } = simulation;
        const without = [...unplaced, ...claims.slice(most).flatMap((claim) => claim.pods)];
        const pod = without.find((p) => rows.includes(cluster.rowOfPod[p]));
        const closest = pod === undefined ? undefined : obstaclesOf(simulation, pod).closest;
        if (pod === undefined || closest === undefined) return undefined;
        const [resource] = Object.keys(closest.missing);
        const dimension = cluster.requests.dimensions.get(resource);
        const row = cluster.rowOfNode.get(closest.node);
        if (dimension === undefined || row === undefined) return undefined;
        const { namespace, name } = cluster.pods[pod];
        const instanceType = cluster.rows[row].labels[INSTANCE_TYPE];
        return {
          pod: `${namespace}/${name}`,
          node: closest.node,
          ...(instanceType === undefined ? {} : { instanceType }),
          resource,
          free: freeForMoves(cluster, dimension, row),
        };
      },
      { maxClaims: most },
    );
  }
}

/** Saves more, or the same with fewer new nodes, which cost nothing where a commitment pays for them. */
function isBetter(a: Move, b: Move): boolean {
  const more = netCents(a) - netCents(b);
  return Math.abs(more) > NOISE_CENTS ? more > 0 : a.replacements.length < b.replacements.length;
}

const NOISE_CENTS = 1e-9;

function isAboutRoom(reason: string): boolean {
  return reason === 'pods-unplaceable' || reason === 'too-many-replacements';
}

/** The node has as much of the resource free as when the move was refused, and the pod still has to move. */
export function isUnchanged(cluster: CompiledCluster, fact: BlockingFact): boolean {
  const { pods, requests, rowOfNode } = cluster;
  const row = rowOfNode.get(fact.node);
  const dimension = requests.dimensions.get(fact.resource);
  if (row === undefined || dimension === undefined || freeForMoves(cluster, dimension, row) !== fact.free) return false;
  return pods.some(({ namespace, name }) => `${namespace}/${name}` === fact.pod);
}
