import { performance } from 'node:perf_hooks';
import type { Controller, DecisionView } from '../../controller/controller.ts';
import type { ReconcileReport } from '../../controller/report.ts';
import { NONE, STOCK } from '../../lab/built-in-policies.ts';
import type { NamedPolicy } from '../../lab/named-policy.ts';
import { policyCluster } from '../../lab/policy-cluster.ts';
import type { ControlledCluster } from '../../simulator/controlled-cluster.ts';
import type { LedgerSummary } from '../../simulator/ledger.ts';
import { type Moment, momentOf } from '../../simulator/moment.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import type { CommandEvent } from '../dashboard/command-events.ts';
import { type ClusterEvent, EventCollector, type Staying } from './events.ts';

export interface DemoSettings {
  readonly policy: NamedPolicy;
  readonly seed: number;
  readonly tell: (news: ClusterEvent, atMs: number) => void;
  /** Called during passes, to let other work run. */
  readonly yieldToOthers: () => Promise<void>;
  /** Called after every reconciliation of Decant's controller. */
  readonly reported?: (report: ReconcileReport, nowMs: number) => void;
}

/** What a policy is compared with: stock Karpenter, and stock Karpenter itself with no consolidation. */
export function baselineOf({ controller }: NamedPolicy): NamedPolicy {
  return controller === 'decant' ? STOCK : NONE;
}

export interface Both<T> {
  readonly here: T;
  /** The same workload under the baseline. */
  readonly baseline: T;
}

/** A cluster under a policy, and beside it the same workload under the baseline: the difference is what the policy saves. */
export class DemoCluster {
  private readonly attended: ControlledCluster;
  private readonly twin: ControlledCluster;
  private readonly events: EventCollector;
  private readonly controller: Controller | undefined;

  constructor(workload: Scenario, { policy, seed, tell, yieldToOthers, reported }: DemoSettings) {
    const { attended, controller } = policyCluster(workload, policy, {
      seed,
      yieldToOthers,
      clock: () => performance.now(),
      reported: (report) => {
        this.events.reported(report);
        reported?.(report, this.nowMs);
      },
    });
    this.attended = attended;
    this.controller = controller;
    this.twin = policyCluster(workload, baselineOf(policy), { seed }).attended;
    this.events = new EventCollector(attended.cluster.world, tell);
    this.events.listen({ ours: controller !== undefined });
  }

  get nowMs(): number {
    return this.attended.cluster.nowMs;
  }

  get staying(): Staying {
    return this.events.staying;
  }

  /** Commands of our controller that are under way, oldest first. */
  get underWay(): readonly CommandEvent[] {
    return [...this.events.underWay.values()];
  }

  /** The controller's current input; of other controllers only the objects. */
  decisionView(): Pick<DecisionView, 'objects'> & Partial<DecisionView> {
    return this.controller?.decisionView() ?? this.attended.cluster.view();
  }

  /** Commands that were abandoned. */
  get abandoned(): number {
    return this.events.abandoned;
  }

  /** Advances both clusters. The result does not depend on the steps. */
  async advanceTo(untilMs: number): Promise<void> {
    await this.attended.advanceTo(untilMs);
    await this.twin.advanceTo(untilMs);
    this.events.flush();
  }

  moments(): Both<Moment> {
    return { here: momentOf(this.attended.cluster), baseline: momentOf(this.twin.cluster) };
  }

  ledgers(): Both<LedgerSummary> {
    return { here: this.attended.cluster.ledger.summary(), baseline: this.twin.cluster.ledger.summary() };
  }
}
