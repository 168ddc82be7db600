import type { ClusterObjects, PodObject } from './cluster/objects.ts';
import { CPU, MEMORY } from './cluster/request-table.ts';
import { type PoolTotals, poolTotals } from './disruption/balanced.ts';
import { type Candidate, isEmpty } from './disruption/candidates.ts';
import { assess, refusalsByMethods } from './gates/assessment.ts';
import { balanced } from './moves/alone.ts';
import { consolidate } from './moves/consolidate.ts';
import type { Consolidation } from './moves/move.ts';
import { compile } from './scheduling/compile.ts';
import type { CompiledCluster } from './scheduling/compiled-cluster.ts';
import { type PodChange, PodChanges, podKey } from './scheduling/pod-changes.ts';
import { NOT_AT_ONCE, Simulation } from './scheduling/simulation.ts';
import type { Rules } from './settings.ts';

/** What is remembered of a row between passes. */
interface Remembered {
  candidate: Candidate | undefined;
  /** A candidate that the single-node method would examine. */
  eligible: boolean;
  /** Verdict before the Balanced score, which depends on the whole pool; undefined: not simulated yet. */
  verdict: Consolidation | undefined;
  /** Where its pods went, in queue order (see Outcome.trace). */
  trace: readonly number[];
  /** Its pods as a simulation tells them apart, in queue order. */
  likeness: readonly unknown[];
}

/**
 * A cluster watched over time: changes come in, and each pass evaluates again only the nodes whose
 * answer may be another one. A verdict stands as long as its pods are alike, nothing that its pods
 * were counted with changed, no node that took one of them lost room, and no node that gained room
 * could take one of them sooner. (Pods are tried on nodes in a fixed order, first fit: a node behind
 * the one that took the pod was never looked at.)
 */
export class Session {
  private readonly objects: ClusterObjects;
  /** All pods as they are now, by namespace and name. */
  private readonly pods: Map<string, PodObject>;
  private readonly rules: Rules;
  private cluster: CompiledCluster;
  private simulation: Simulation;
  private changes: PodChanges;
  private rows: (Remembered | undefined)[] = [];
  private rowsOfGroup = new Map<number, Set<number>>();
  /** Nodes simulated in the last pass. */
  evaluated = 0;

  constructor(objects: ClusterObjects, rules: Rules) {
    this.rules = rules;
    this.objects = objects;
    this.pods = new Map(objects.pods.map((p) => [podKey(p), p]));
    this.cluster = this.compile();
    this.simulation = new Simulation(this.cluster);
    this.changes = new PodChanges(this.cluster);
    this.startOver();
  }

  /** The compiled cluster gets a list of its own: changes are written into it. */
  private compile(): CompiledCluster {
    return compile({ ...this.objects, pods: [...this.pods.values()] }, this.rules.settings);
  }

  private startOver(): void {
    this.rows = new Array(this.cluster.rows.length);
    this.rowsOfGroup = new Map();
    for (let row = 0; row < this.rows.length; row++) this.indexGroups(row);
  }

  /** Which rows have pods that heed a group: they are to be asked again when it counts differently. */
  private indexGroups(row: number): void {
    const { movableOfRow, shapeOfPod, membershipOfPod } = this.cluster;
    for (const pod of movableOfRow[row]) {
      const { repelledByHost, repelledByDomain } = membershipOfPod[pod];
      const owned = shapeOfPod[pod]?.stages.flatMap((s) => [...s.byHost, ...s.byDomain]) ?? [];
      for (const group of [...owned, ...repelledByHost, ...repelledByDomain]) {
        const rows = this.rowsOfGroup.get(group);
        if (rows === undefined) this.rowsOfGroup.set(group, new Set([row]));
        else rows.add(row);
      }
    }
  }

  /** Takes in pods that came, went or changed. */
  change(changes: readonly PodChange[]): void {
    for (const { before, after } of changes) {
      if (before !== undefined) this.pods.delete(podKey(before));
      if (after !== undefined) this.pods.set(podKey(after), after);
    }
    const free = this.cluster.free.map((column) => column.slice());
    const applied = this.changes.apply(changes);
    if (applied === undefined || this.cluster.pending.length > 0 || this.cluster.leaving.length > 0) {
      this.recompile();
      return;
    }
    this.simulation.refresh(applied.rows);
    for (const row of applied.rows) {
      const remembered = this.rows[row];
      if (remembered === undefined) continue;
      Object.assign(remembered, this.assess(row));
      const likeness = this.likenessOf(row);
      if (alike(likeness, remembered.likeness)) continue;
      remembered.likeness = likeness;
      this.forget(row);
      this.indexGroups(row);
    }
    for (const group of applied.groups) for (const row of this.rowsOfGroup.get(group) ?? []) this.forget(row);
    this.forgetWhereRoomMatters(applied.rows, free);
  }

  private recompile(): void {
    this.cluster = this.compile();
    this.simulation = new Simulation(this.cluster);
    this.changes = new PodChanges(this.cluster);
    this.startOver();
  }

  private forget(row: number): void {
    const remembered = this.rows[row];
    if (remembered !== undefined) remembered.verdict = undefined;
  }

  private likenessOf(row: number): unknown[] {
    const { requestOfPod, shapeOfPod, membershipOfPod } = this.cluster;
    return this.simulation.queueOf(row).flatMap((pod) => [requestOfPod[pod], shapeOfPod[pod], membershipOfPod[pod]]);
  }

  private forgetWhereRoomMatters(changed: readonly number[], before: readonly Float64Array[]): void {
    const { free } = this.cluster;
    const lost = new Uint8Array(this.rows.length);
    const gained: number[] = [];
    for (const row of changed) {
      if (free.some((column, d) => column[row] < before[d][row])) lost[row] = 1;
      if (free.some((column, d) => column[row] > before[d][row])) gained.push(row);
    }
    gained.sort((a, b) => a - b);
    const roomiest = [CPU, MEMORY].map((d) => gained.reduce((max, row) => Math.max(max, free[d][row]), -Infinity));
    for (let row = 0; row < this.rows.length; row++) {
      const remembered = this.rows[row];
      if (remembered?.verdict === undefined) continue;
      const queue = this.simulation.queueOf(row);
      const { trace } = remembered;
      for (let k = 0; k < trace.length; k++) {
        if (
          (trace[k] !== NOT_AT_ONCE && lost[trace[k]] === 1) ||
          this.couldGoSooner(queue[k], trace[k], row, gained, roomiest)
        ) {
          remembered.verdict = undefined;
          break;
        }
      }
    }
  }

  private couldGoSooner(
    pod: number,
    taken: number,
    own: number,
    gained: readonly number[],
    roomiest: readonly number[],
  ): boolean {
    const { requests, requestOfPod, free, nodeSets, shapeOfPod } = this.cluster;
    const amounts = requests.amounts(requestOfPod[pod]);
    if (amounts[CPU] > roomiest[0] || amounts[MEMORY] > roomiest[1]) return false;
    for (const row of gained) {
      if (row >= taken) return false;
      if (row === own || amounts[CPU] > free[CPU][row] || amounts[MEMORY] > free[MEMORY][row]) continue;
      const word = row >>> 5;
      const bit = 1 << (row & 31);
      if (shapeOfPod[pod]?.stages.some((s) => (nodeSets.nodesFor(s.nodeClass)[word] & bit) !== 0)) return true;
    }
    return false;
  }

  /** Every candidate's verdict alone, as `alone` in stock-methods.ts gives it. */
  pass(): Map<string, Consolidation> {
    this.evaluated = 0;
    const { cluster } = this;
    for (let row = 0; row < cluster.rows.length; row++) {
      if (!cluster.rows[row].tracked || this.rows[row] !== undefined) continue;
      this.rows[row] = { ...this.assess(row), verdict: undefined, trace: [], likeness: this.likenessOf(row) };
    }
    const candidates = this.rows.flatMap((r) => r?.candidate ?? []);
    const totals = poolTotals(cluster, candidates);
    const verdicts = new Map<string, Consolidation>();
    for (const c of candidates) {
      if (this.rows[c.row]?.eligible) verdicts.set(c.name, this.verdictOf(c, totals));
    }
    return verdicts;
  }

  private assess(row: number): Pick<Remembered, 'candidate' | 'eligible'> {
    const assessment = assess(this.cluster, row, this.rules);
    if ('refusals' in assessment) return { candidate: undefined, eligible: false };
    const { candidate } = assessment;
    return {
      candidate,
      eligible: !isEmpty(candidate) && refusalsByMethods(this.cluster, candidate, this.rules).length === 0,
    };
  }

  private verdictOf(c: Candidate, totals: ReadonlyMap<string, PoolTotals>): Consolidation {
    return balanced(c, totals, () => {
      const remembered = this.rows[c.row] as Remembered;
      if (remembered.verdict === undefined) {
        this.evaluated++;
        remembered.verdict = consolidate(this.simulation, [c], {
          watch: (outcome) => {
            remembered.trace = outcome.trace;
          },
        });
      }
      return withCandidate(remembered.verdict, c);
    });
  }
}

/** The verdict was about the node as it was weighed then; weights may have changed without changing it. */
function withCandidate(verdict: Consolidation, c: Candidate): Consolidation {
  if ('refusal' in verdict || verdict.move.candidates[0] === c) return verdict;
  return { move: { ...verdict.move, candidates: [c] } };
}

function alike(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((x, i) => x === b[i]);
}
