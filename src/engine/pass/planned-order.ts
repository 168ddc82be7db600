import type { Candidate } from '../disruption/candidates.ts';
import type { Move } from '../moves/move.ts';
import type { Replacement } from '../moves/replacement.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { Draft } from '../search/merged/draft.ts';
import { redo } from '../search/merged/improve.ts';
import { settlePending } from '../search/pending.ts';
import type { SearchProblem } from '../search/problem.ts';
import { Trials } from '../search/trials.ts';
import type { TimedMove } from '../search/waves.ts';
import { inWaves } from '../search/waves.ts';
import { resultOf } from '../steps.ts';
import { launchedName, type Stage } from './stages.ts';

/** The later moves of a plan. */
export type PlannedOrder = readonly MoveInOrder[];

export interface MoveInOrder {
  /** Moves of one stage are made together, on the cluster that the stages before leave: a wave of the plan. */
  readonly stage: number;
  /**
   * Nodes that go. One that an earlier move launches is `new-1 of NODE`, by a node that the earlier move removes: unlike numbers of
   * moves, such a name is still valid after that move is made.
   */
  readonly nodes: readonly string[];
  /** Number of nodes launched for them. */
  readonly newNodes: number;
  /** Destinations of pods by UID: a node as above, or `new-1` … for a node launched for them. Some may be missing. */
  readonly placements?: Readonly<Record<string, string>>;
}

export function nameInOrder(replacement: number, removed: string): string {
  return `new-${replacement} of ${removed}`;
}

const LAUNCHED = /^new-([1-9][0-9]*) of (.+)$/;

/** The number of a replacement and a node that it is launched for; undefined if the node already runs. */
export function readNameInOrder(name: string): { replacement: number; removed: string } | undefined {
  const [, replacement, removed] = LAUNCHED.exec(name) ?? [];
  return removed === undefined ? undefined : { replacement: Number(replacement), removed };
}

/** The moves of these stages from this wave on. */
export function orderOf(stages: readonly Stage[], from: number): PlannedOrder {
  const names = new NamesInOrder();
  const order: MoveInOrder[] = [];
  for (const { problem, moves } of stages) {
    const { cluster } = problem.simulation;
    for (const { move, wave } of moves) if (wave >= from) order.push({ stage: wave, ...inOrder(cluster, move, names) });
    names.launched(moves);
  }
  return order;
}

function inOrder({ pods, rows }: CompiledCluster, move: Move, names: NamesInOrder): Omit<MoveInOrder, 'stage'> {
  const own = move.placements.filter(({ launchedFor }) => launchedFor === undefined);
  const placeOf = (row: number) => (row < 0 ? `new${row}` : names.inOrder(rows[row].name));
  return {
    nodes: move.candidates.map((c) => names.inOrder(c.name)),
    newNodes: move.replacements.length,
    placements: Object.fromEntries(own.map(({ pod, row }) => [pods[pod].uid, placeOf(row)])),
  };
}

/** Nodes that stages launch: the names that orders have for them, and those in the clusters of the stages. */
class NamesInOrder {
  private readonly orderNames = new Map<string, string>();
  private readonly nodeNames = new Map<string, string>();
  private made = 0;

  inOrder(node: string): string {
    return this.orderNames.get(node) ?? node;
  }

  node(name: string): string {
    return this.nodeNames.get(name) ?? name;
  }

  launched(moves: readonly TimedMove[]): void {
    for (const { move } of moves) {
      this.made++;
      for (const k of move.replacements.keys()) {
        const node = launchedName(k + 1, this.made);
        const [first, ...others] = move.candidates.map((c) => nameInOrder(k + 1, this.inOrder(c.name)));
        this.orderNames.set(node, first);
        for (const name of [first, ...others]) this.nodeNames.set(name, node);
      }
    }
  }
}

const OWN = /^new-([1-9][0-9]*)$/;
/** Launched nodes are looked up again. */
const UNKNOWN: Replacement = { template: 0, requirements: 0, types: [], pods: [] };

/** Makes the moves of an order again, stage by stage, as far as they are still possible. */
export class OrderAgain {
  private readonly left: MoveInOrder[];
  private readonly names = new NamesInOrder();

  constructor(order: PlannedOrder) {
    this.left = [...order];
  }

  get isOver(): boolean {
    return this.left.length === 0;
  }

  /** The moves of the next stage as they were planned, if all their nodes are candidates. */
  due(problem: SearchProblem): readonly Move[] {
    const byName = new Map(problem.candidates.map((c) => [c.name, c]));
    const here = (name: string) => byName.get(this.names.node(name));
    const until = this.left.findIndex(({ stage }) => stage !== this.left[0].stage);
    const due = this.left.splice(0, until < 0 ? this.left.length : until);
    return due.flatMap((move) => this.moveOf(problem.simulation.cluster, move, here) ?? []);
  }

  /** These moves of the last stage were made; nodes that they launch have names for the stages after it. */
  made(moves: readonly TimedMove[]): void {
    this.names.launched(moves);
  }

  /** Makes the moves of the next stage; those that cannot be made are left out. */
  next(problem: SearchProblem): readonly TimedMove[] {
    const planned = this.due(problem);
    const { simulation } = problem;
    const { depth } = simulation;
    const draft = new Draft(new Trials(problem), settlePending(problem));
    resultOf(redo(draft, planned));
    const moves = draft.steps.map((step) => step.move);
    draft.close();
    simulation.undoTo(depth);
    const timed = resultOf(inWaves(problem, moves));
    this.made(timed);
    return timed;
  }

  /** The move in numbers of this cluster, if all its nodes are candidates. */
  private moveOf(
    { movableOfRow, pods, rowOfNode }: CompiledCluster,
    { nodes, newNodes, placements = {} }: MoveInOrder,
    here: (name: string) => Candidate | undefined,
  ): Move | undefined {
    const candidates = nodes.flatMap((name) => here(name) ?? []);
    if (candidates.length < nodes.length) return undefined;
    const rowOf = (place: string | undefined) => {
      if (place === undefined) return undefined;
      const [, number] = OWN.exec(place) ?? [];
      return number === undefined ? rowOfNode.get(this.names.node(place)) : -Number(number);
    };
    return {
      kind: newNodes === 0 ? 'delete' : 'replace',
      candidates,
      replacements: Array.from({ length: newNodes }, () => UNKNOWN),
      placements: candidates
        .flatMap(({ row }) => movableOfRow[row])
        .flatMap((pod) => {
          const row = rowOf(placements[pods[pod].uid]);
          return row === undefined ? [] : [{ pod, row }];
        }),
      // Evaluated again before it is made.
      savings: 0,
    };
  }
}
