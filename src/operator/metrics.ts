import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/**
 * All metrics. The first is named by the savings-threshold document, the others are Decant's. None has a label for
 * nodes or pods: metrics must not grow with the cluster.
 */
export class OperatorMetrics {
  readonly registry = new Registry();

  readonly thresholdBlocked = this.counter(
    'karpenter_consolidation_threshold_blocked_total',
    'Passes in which the savings threshold was the only reason that kept a node of the NodePool, alone or in a move of several.',
    ['nodepool'],
  );
  readonly reconciliations = this.counter(
    'decant_ticks_total',
    'Controller runs by result: pass, paused, busy, stabilization, unsynced or failed.',
    ['result'],
  );
  readonly passDuration = new Histogram({
    name: 'decant_pass_duration_seconds',
    help: 'Duration of a pass over the whole cluster.',
    buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100],
    registers: [this.registry],
  });
  readonly priceAge = this.gauge(
    'decant_price_age_seconds',
    'Age of the prices that decisions are made by: since Karpenter was asked for them, or since the date of a bundled table.',
    ['source'],
  );
  readonly lastPass = this.gauge('decant_last_pass_timestamp_seconds', 'Time at which the last pass ended.');
  readonly decisions = this.counter(
    'decant_decisions_total',
    'Commands, by kind (delete, replace), method (emptiness, single, multi) and outcome (begun, done, abandoned).',
    ['kind', 'method', 'outcome'],
  );
  readonly proposals = this.gauge('decant_proposals', 'Moves of the first wave that the last pass proposed.', [
    'kind',
    'method',
  ]);
  readonly predictedSavings = this.counter(
    'decant_predicted_savings_dollars_per_hour_total',
    'Predicted savings of completed commands.',
  );
  readonly realisedSavings = this.counter(
    'decant_realised_savings_dollars_per_hour_total',
    'Realised savings of completed commands; a command that increased costs adds nothing.',
  );
  readonly evictions = this.counter('decant_evictions_total', 'Pods evicted from nodes that were deleted.');
  readonly rollouts = this.counter(
    'decant_rollouts_total',
    'Pods rolled instead of evicted: done, or failed and undone.',
    ['outcome'],
  );
  readonly reevictions = this.counter(
    'decant_reevictions_total',
    'Evicted pods of workloads that had lost as many to another command less than 30 minutes before.',
  );
  readonly refusedNodes = this.gauge(
    'decant_refused_nodes',
    'Nodes that the last pass refused, by the code of the refusal; one node may have several.',
    ['code'],
  );
  readonly candidates = this.gauge('decant_candidates', 'Nodes that passed every per-node gate in the last pass.');
  readonly examined = this.gauge(
    'decant_candidates_examined',
    'Candidates that were part of a simulated move in the last pass.',
  );
  readonly blockedCost = this.gauge(
    'decant_blocked_cost_dollars_per_hour',
    'Savings that the blockers of a namespace prevent, by trial: if they alone are removed, or jointly with all others of their nodes.',
    ['namespace', 'removed'],
  );
  readonly blockersCost = this.gauge(
    'decant_blockers_cost_dollars_per_hour',
    'Savings that all blockers prevent, by one trial without any of them.',
  );
  readonly blockersPriced = this.gauge(
    'decant_blockers_priced_timestamp_seconds',
    'Time of the cluster state for which blockers were priced.',
  );
  readonly budget = this.gauge('decant_budget_remaining_nodes', 'Nodes that the disruption budgets still allow.', [
    'nodepool',
    'reason',
  ]);
  readonly nodes = this.gauge('decant_nodes', 'Nodes in the last pass.', ['nodepool']);
  readonly cost = this.gauge('decant_cost_dollars_per_hour', 'Price of the nodes in the last pass.', ['nodepool']);
  readonly plannedCost = this.gauge(
    'decant_planned_cost_dollars_per_hour',
    'Price of the nodes after the whole plan.',
    ['nodepool'],
  );
  readonly threshold = this.gauge('decant_savings_threshold_cents', 'Current level of an adaptive savings threshold.', [
    'nodepool',
  ]);
  readonly blockedPools = this.gauge(
    'decant_hindered_nodepools',
    'NodePools that Decant does not consolidate, by reason: interlock, conflict, invalid-policy, deleting or prices.',
    ['reason'],
  );
  readonly openCommands = this.gauge('decant_open_commands', 'Open commands.', ['phase']);
  readonly steeredNodes = this.gauge(
    'decant_steered_nodes',
    'Nodes with the soft taint decant.sh/leaving: of open commands and, with --steer, of waiting moves.',
  );
  readonly steeringWrites = this.counter(
    'decant_steering_writes_total',
    'Writes of soft taints (node) and of deletion costs (pod), removals included.',
    ['object'],
  );
  readonly heldCommands = this.gauge('decant_held_commands', 'Open commands on hold, by reason.', ['reason']);
  readonly actionFailures = this.counter('decant_action_failures_total', 'Failed writes; each is retried.', ['action']);
  readonly taintsRestored = this.counter(
    'decant_taints_restored_total',
    'Taints written again because Karpenter or another client had removed them from a node of an open command.',
  );
  readonly apiRequests = this.counter(
    'decant_api_requests_total',
    'Requests to the API server; code 0 means no response.',
    ['verb', 'code'],
  );
  readonly notifications = this.counter(
    'decant_notifications_total',
    'Notifications to the webhook by result: sent, failed or limited.',
    ['result'],
  );
  readonly events = this.counter('decant_events_total', 'Events by result: sent, failed or limited.', ['result']);
  readonly leader = this.gauge('decant_leader', '1 if this replica is the leader.');
  readonly undecodable = this.gauge('decant_undecodable_objects', 'Objects that cannot be decoded and are set aside.', [
    'kind',
  ]);
  readonly beyondLimits = this.gauge(
    'decant_objects_beyond_limits',
    'Pending pods that no pass places, and CapacityBuffers that keep less room than they ask for: their namespace has too many.',
    ['kind'],
  );
  readonly synced = this.gauge('decant_synced', '1 while all caches are synced.');
  readonly catalog = this.gauge('decant_catalog_ok', '0 while the catalog cannot be read; no command starts then.');
  readonly info = this.gauge('decant_info', 'Always 1; the labels are mode and version.', ['mode', 'version']);

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  private counter<T extends string>(name: string, help: string, labelNames: readonly T[] = []): Counter<T> {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  private gauge<T extends string>(name: string, help: string, labelNames: readonly T[] = []): Gauge<T> {
    return new Gauge({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }
}
