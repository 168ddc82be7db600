import { performance } from 'node:perf_hooks';
import type { Controller, DecisionView } from '../../controller/controller.ts';
import type { ReconcileReport } from '../../controller/report.ts';
import { NONE } from '../../lab/built-in-policies.ts';
import type { NamedPolicy } from '../../lab/named-policy.ts';
import { policyCluster } from '../../lab/policy-cluster.ts';
import type { ControlledCluster } from '../../simulator/controlled-cluster.ts';
import type { LedgerSummary } from '../../simulator/ledger.ts';
import { type Moment, momentOf } from '../../simulator/moment.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import type { SimulatedCluster } from '../../simulator/simulated-cluster.ts';
import { type ClusterEvent, EventCollector, type Staying } from './events.ts';

export interface DemoSettings {
  readonly policy: NamedPolicy;
  readonly seed: number;
  readonly tell: (news: ClusterEvent, atMs: number) => void;
  /** Called now and then while the controller thinks. */
  readonly breathe: () => Promise<void>;
  /** Told of every reconciliation of our controller. */
  readonly reported?: (report: ReconcileReport, nowMs: number) => void;
}

/** A cluster under a policy, and beside it the same one left alone: the difference is what the policy saves. */
export class DemoCluster {
  private readonly attended: ControlledCluster;
  private readonly twin: SimulatedCluster;
  private readonly desk: EventCollector;
  private readonly controller: Controller | undefined;

  constructor(workload: Scenario, { policy, seed, tell, breathe, reported }: DemoSettings) {
    const { attended, controller } = policyCluster(workload, policy, {
      seed,
      breathe,
      clock: () => performance.now(),
      reported: (report) => {
        this.desk.reported(report);
        reported?.(report, this.nowMs);
      },
    });
    this.attended = attended;
    this.controller = controller;
    this.twin = policyCluster(workload, NONE, { seed }).attended.cluster;
    this.desk = new EventCollector(attended.cluster.world, tell);
    this.desk.listen({ ours: controller !== undefined });
  }

  get nowMs(): number {
    return this.attended.cluster.nowMs;
  }

  get staying(): Staying {
    return this.desk.staying;
  }

  /** What our controller would decide by now; of others only what they see. */
  decisionView(): Pick<DecisionView, 'objects'> & Partial<DecisionView> {
    return this.controller?.decisionView() ?? this.attended.cluster.view();
  }

  /** Commands that were begun and not carried out. */
  get givenUp(): number {
    return this.desk.givenUp;
  }

  /** Lets time pass in both. Where one stops on the way makes no difference to either. */
  async advanceTo(untilMs: number): Promise<void> {
    await this.attended.advanceTo(untilMs);
    this.twin.advanceTo(untilMs);
    this.desk.flush();
  }

  moments(): { readonly here: Moment; readonly alone: Moment } {
    return { here: momentOf(this.attended.cluster), alone: momentOf(this.twin) };
  }

  ledgers(): { readonly here: LedgerSummary; readonly alone: LedgerSummary } {
    return { here: this.attended.cluster.ledger.summary(), alone: this.twin.ledger.summary() };
  }
}
