import { problemsText } from '../config/problem.ts';
import type { ClusterView } from '../controller/cluster-port.ts';
import { type Command, isOpen } from '../controller/command.ts';
import type { BlockReason } from '../controller/governance.ts';
import { priceDoubtInWords } from '../controller/price-trust.ts';
import type { PassReport, ReconcileReport } from '../controller/report.ts';
import type { BlockerPrices } from '../engine/blockers/price.ts';
import type { ClusterObjects } from '../engine/cluster/objects.ts';
import { objectName, type UndecodableObject } from '../engine/cluster/undecodable.ts';
import { NODE_POOL } from '../engine/cluster/well-known.ts';
import { GATE_OF_NODE_REFUSAL } from '../engine/explanation/gate-names.ts';
import type { NodeRefusal, Refusal } from '../engine/refusal.ts';
import { refusalText } from '../engine/refusal-text.ts';
import { blockerNote } from '../report/blocker-words.ts';
import {
  brakeInWords,
  commandInWords,
  reasonInWords,
  resultInWords,
  rolloutsInWords,
} from '../report/command-words.ts';

/** Karpenter's own reasons are used as Karpenter uses them. */
export interface OperatorEvent {
  readonly on: {
    readonly kind: 'NodeClaim' | 'NodePool' | 'PodDisruptionBudget';
    readonly name: string;
    readonly uid: string;
    readonly namespace?: string;
  };
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly note: string;
  /** Identifies repeated events beside object and reason, although numbers in the note differ. */
  readonly topic: string;
}

/** The events of one call of `Controller.reconcile`, most important first. */
export function eventsOf(
  report: ReconcileReport,
  view: ClusterView,
  mode: 'observe' | 'act',
): readonly OperatorEvent[] {
  const recorder = new EventRecorder(view);
  for (const command of report.transitions) recorder.transition(command);
  for (const command of view.commands) recorder.awaited(command);
  for (const { pool, blockReason } of report.poolGovernance.values()) recorder.blockReason(pool, blockReason);
  recorder.undecodable(view.objects.undecodable);
  if (report.pass !== undefined) recorder.pass(report.pass, report.poolGovernance, mode);
  return recorder.events;
}

/** On each PodDisruptionBudget that costs something, as a trial found. */
export function blockerEvents(
  { blockers }: BlockerPrices,
  { podDisruptionBudgets }: ClusterObjects,
): readonly OperatorEvent[] {
  const uids = new Map(podDisruptionBudgets.map(({ namespace, name, uid }) => [`${namespace}/${name}`, uid]));
  return blockers.flatMap((priced): OperatorEvent[] => {
    const { blocker, jointCentsPerHour = 0 } = priced;
    if (blocker.kind !== 'PodDisruptionBudget' || jointCentsPerHour === 0) return [];
    const { kind, namespace, name } = blocker;
    const uid = uids.get(`${namespace}/${name}`);
    if (uid === undefined) return [];
    const note = blockerNote(priced);
    return [{ on: { kind, namespace, name, uid }, type: 'Normal', reason: 'DisruptionBlocked', note, topic: 'cost' }];
  });
}

/** Refusals of these gates are DisruptionBlocked in Karpenter's terms, others Unconsolidatable. */
const BLOCKING_GATES: ReadonlySet<string> = new Set([
  'decodable',
  'node-annotation',
  'pool-known',
  'pods-evictable',
  'instance-known',
]);

/** No event: temporary, or not about nodes of Karpenter. */
const SILENT: ReadonlySet<string> = new Set(['not-managed', 'no-node', 'not-initialized', 'deleting']);

/** Objects that one event names. */
const MAX_UNDECODABLE = 5;

class EventRecorder {
  readonly events: OperatorEvent[] = [];
  private readonly claimUids: ReadonlyMap<string, string>;
  private readonly poolUids: ReadonlyMap<string, string>;
  private readonly claimOfNode: ReadonlyMap<string, string>;
  private readonly poolOfClaim: ReadonlyMap<string, string>;

  constructor({ objects: { nodeClaims, nodePools } }: ClusterView) {
    this.claimUids = new Map(nodeClaims.map((c) => [c.name, c.uid]));
    this.poolOfClaim = new Map(nodeClaims.map((c) => [c.name, c.labels[NODE_POOL] ?? '']));
    this.poolUids = new Map(nodePools.map((p) => [p.name, p.uid]));
    this.claimOfNode = new Map(nodeClaims.filter((c) => c.nodeName !== '').map((c) => [c.nodeName, c.name]));
  }

  transition(command: Command): void {
    const { id, phase, reason, nodes, replacements, rollingMs, rollouts = [] } = command;
    if (phase === 'done') {
      const note = `Consolidated: ${commandInWords(command)}; ${resultInWords(command)}`;
      for (const pool of new Set(nodes.map((n) => n.nodePool))) this.onPool(pool, 'Consolidated', note, id);
      return;
    }
    for (const { nodeClaim, nodePool } of nodes) {
      const tell = (name: string, note: string) => this.onClaim(nodeClaim, name, note, id);
      if (reason !== undefined)
        tell(
          'ConsolidationRejected',
          `Consolidation rejected: ${commandInWords(command)}, reason: ${reasonInWords(reason, command.blockedBy)}`,
        );
      else if (phase === 'waiting')
        tell('ConsolidationCandidate', `Consolidation candidate: ${commandInWords(command)}`);
      else if (phase === 'launching' && rollingMs !== undefined)
        tell('DisruptionRolling', `Rolling pods instead of evicting them: ${rolloutsInWords(rollouts)}`);
      else if (phase === 'launching' && replacements.length > 0)
        tell('DisruptionLaunching', `Launching NodeClaim: ${replacements.map((r) => r.nodeClaim).join(', ')}`);
      else if (phase === 'draining')
        tell(
          'DisruptionTerminating',
          `Disrupting NodeClaim: ${command.nodes.every((n) => n.pods === 0) ? 'Empty' : 'Underutilized'} (NodePool ${nodePool}, command ${id})`,
        );
    }
  }

  /** Replacements that a command waits for. */
  awaited(command: Command): void {
    if (!isOpen(command) || command.phase !== 'launching' || command.launchedMs === undefined) return;
    for (const { nodeClaim } of command.replacements)
      this.onClaim(
        nodeClaim,
        'DisruptionWaitingReadiness',
        `Waiting on readiness to continue disruption of ${command.nodes.map((n) => n.nodeClaim).join(', ')}`,
        command.id,
      );
  }

  /** On every pool: an object without a node, such as a DaemonSet, concerns them all. */
  undecodable(objects: readonly UndecodableObject[]): void {
    if (objects.length === 0) return;
    const named = objects.slice(0, MAX_UNDECODABLE);
    const note = `${objects.length} objects are set aside: ${named.map((o) => `${objectName(o)}: ${o.problem}`).join('; ')}`;
    const topic = named.map(objectName).join();
    for (const pool of this.poolUids.keys()) this.onPool(pool, 'UndecodableObject', note, topic, 'Warning');
  }

  blockReason(pool: string, blockReason: BlockReason | undefined): void {
    switch (blockReason?.code) {
      case 'interlock':
        this.onPool(pool, 'ConsolidationInterlocked', INTERLOCKED, 'interlock');
        break;
      case 'conflict':
        this.onPool(
          pool,
          'PolicyConflict',
          conflictInWords(blockReason.policies),
          blockReason.policies.join(),
          'Warning',
        );
        break;
      case 'invalid-policy':
        this.onPool(pool, 'InvalidPolicy', problemsText(blockReason.problems), 'invalid', 'Warning');
        break;
      case 'prices':
        this.onPool(pool, 'PricesNotTrusted', priceDoubtInWords(blockReason.doubt), blockReason.doubt, 'Warning');
    }
  }

  pass(
    { pools, proposals, nodeRefusals }: PassReport,
    poolGovernance: ReconcileReport['poolGovernance'],
    mode: 'observe' | 'act',
  ): void {
    for (const [pool, { nodes, budgets }] of pools) {
      if (nodes > 0 && budgets.Empty === 0 && budgets.Underutilized === 0)
        this.onPool(pool, 'DisruptionBlocked', 'No allowed disruptions due to blocking budget', 'budget');
    }
    for (const { command, refusal } of proposals) {
      for (const { nodeClaim } of command.nodes) {
        if (refusal !== undefined) {
          const why = brakeInWords(refusal);
          this.onClaim(nodeClaim, 'Unconsolidatable', `${commandInWords(command)}, held back: ${why}`, refusal.code);
        } else if (mode === 'observe')
          this.onClaim(
            nodeClaim,
            'ConsolidationCandidate',
            `Consolidation candidate, not acted on: ${commandInWords(command)}`,
            'observe',
          );
      }
    }
    // A node that is refused alone may be part of a proposed multi-node move.
    const proposed = new Set(proposals.flatMap(({ command }) => command.nodes.map((n) => n.nodeClaim)));
    for (const [node, [refusal]] of nodeRefusals) {
      const claim = this.claimOfNode.get(node);
      if (claim === undefined || refusal === undefined || SILENT.has(refusal.code) || proposed.has(claim)) continue;
      // While the policy of the pool is unclear, only the event on the pool is written.
      const { code = 'none' } = poolGovernance.get(this.poolOfClaim.get(claim) ?? '')?.blockReason ?? {};
      if (code !== 'none' && code !== 'interlock' && code !== 'prices') continue;
      this.onClaim(claim, reasonFor(refusal), refusalText(refusal), refusal.code);
    }
  }

  private onClaim(name: string, reason: string, note: string, topic: string): void {
    const uid = this.claimUids.get(name);
    if (uid === undefined) return;
    this.events.push({ on: { kind: 'NodeClaim', name, uid }, type: 'Normal', reason, note, topic });
  }

  private onPool(
    name: string,
    reason: string,
    note: string,
    topic: string,
    type: OperatorEvent['type'] = 'Normal',
  ): void {
    const uid = this.poolUids.get(name);
    if (uid === undefined) return;
    this.events.push({ on: { kind: 'NodePool', name, uid }, type, reason, note, topic });
  }
}

function reasonFor({ code }: Refusal): 'DisruptionBlocked' | 'Unconsolidatable' {
  const gate = code in GATE_OF_NODE_REFUSAL ? GATE_OF_NODE_REFUSAL[code as NodeRefusal['code']] : '';
  return BLOCKING_GATES.has(gate) ? 'DisruptionBlocked' : 'Unconsolidatable';
}

export const INTERLOCKED =
  'Karpenter consolidates this NodePool itself: Decant only observes until spec.disruption.consolidateAfter is Never or a budget of 0 covers Empty and Underutilized';

export function conflictInWords(policies: readonly string[]): string {
  return `selected by ${policies.length} ConsolidationPolicies (${policies.join(', ')}): no consolidation until only one selects it`;
}
