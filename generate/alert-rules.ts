export interface AlertGroups {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Alert[] }[];
}

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: 'critical' | 'warning' | 'info' };
  readonly annotations: { readonly summary: string; readonly description: string };
}

/** Rules for Prometheus. Replicas that do not lead decide nothing, so gauges use the highest value. */
export function alertRules(): AlertGroups {
  return {
    groups: [
      { name: 'decant.process', rules: PROCESS },
      { name: 'decant.decisions', rules: DECISIONS },
    ],
  };
}

const PROCESS: readonly Alert[] = [
  alert('DecantDown', 'critical', '10m', 'absent(decant_info)', {
    summary: 'Decant is not running',
    description: 'No replica has been seen for 10 minutes. Nodes stay as they are; Karpenter still launches nodes.',
  }),
  alert('DecantNoLeader', 'warning', '5m', 'sum(decant_leader) == 0', {
    summary: 'No replica of Decant is the leader',
    description: 'Nothing is decided. Look for errors about the Lease in the logs.',
  }),
  alert('DecantSeveralLeaders', 'critical', '2m', 'sum(decant_leader) > 1', {
    summary: '{{ $value }} replicas of Decant claim to be the leader',
    description: 'There must be one. Scale down to one replica, and report it.',
  }),
  alert('DecantNotSynced', 'warning', '10m', 'max(decant_synced) == 0', {
    summary: 'The caches of Decant are not synced',
    description: '/readyz says which kinds are missing. Until all are synced, nothing is decided.',
  }),
  alert('DecantCatalogStale', 'warning', '15m', 'min(decant_catalog_ok) == 0', {
    summary: 'Decant cannot read its catalog',
    description: 'Prices may have changed, so no command starts until it can be read again.',
  }),
  alert('DecantTicksFail', 'warning', '0m', 'sum(increase(decant_ticks_total{result="failed"}[15m])) > 3', {
    summary: 'Passes fail',
    description: '{{ $value | printf "%.0f" }} in 15 minutes; the log has the errors.',
  }),
  alert(
    'DecantApiErrors',
    'warning',
    '15m',
    'sum(rate(decant_api_requests_total{code=~"0|429|5.."}[10m])) / sum(rate(decant_api_requests_total[10m])) > 0.05',
    {
      summary: '{{ $value | humanizePercentage }} of requests to the API server fail',
      description: 'No response, throttled (429), or a server error.',
    },
  ),
  alert(
    'DecantSlowPasses',
    'info',
    '30m',
    'histogram_quantile(0.9, sum by (le) (rate(decant_pass_duration_seconds_bucket[30m]))) > 30',
    {
      summary: 'A pass takes {{ $value | printf "%.0f" }} s',
      description: 'Give it more cpu, or limit the search with --work-budget.',
    },
  ),
];

const DECISIONS: readonly Alert[] = [
  alert(
    'DecantPoolsHindered',
    'warning',
    '10m',
    'max by (reason) (decant_hindered_nodepools{reason=~"conflict|invalid-policy"}) > 0',
    {
      summary: '{{ $value | printf "%.0f" }} NodePools are not consolidated: {{ $labels.reason }}',
      description: 'kubectl get consolidationpolicies -o wide says what is wrong.',
    },
  ),
  alert(
    'DecantCommandsGivenUp',
    'warning',
    '0m',
    'sum(increase(decant_decisions_total{outcome="abandoned"}[1h])) > 3 and sum(increase(decant_decisions_total{outcome="abandoned"}[1h])) > sum(increase(decant_decisions_total{outcome="begun"}[1h])) / 2',
    {
      summary: 'Most commands are abandoned',
      description: '{{ $value | printf "%.0f" }} in an hour; decant history says why.',
    },
  ),
  alert(
    'DecantCommandStuck',
    'warning',
    '2h',
    'max by (phase) (decant_open_commands{phase=~"launching|draining|undoing"}) > 0',
    {
      summary: 'Commands have been {{ $labels.phase }} for two hours',
      description: 'kubectl get consolidationcommands; a drain waits for PodDisruptionBudgets.',
    },
  ),
  alert(
    'DecantEvictsAgain',
    'warning',
    '0m',
    'sum(increase(decant_reevictions_total[6h])) > 10 and sum(increase(decant_reevictions_total[6h])) > sum(increase(decant_evictions_total[6h])) / 5',
    {
      summary: 'The same workloads are evicted again and again',
      description: 'Set consolidationGracePeriod, a savings threshold, or --max-workload-evictions.',
    },
  ),
  alert(
    'DecantSavesLessThanPredicted',
    'info',
    '0m',
    'sum(increase(decant_predicted_savings_dollars_per_hour_total[1d])) > 0.1 and sum(increase(decant_realised_savings_dollars_per_hour_total[1d])) < 0.8 * sum(increase(decant_predicted_savings_dollars_per_hour_total[1d]))',
    {
      summary: 'Commands save less than predicted',
      description: 'The prices of the catalog differ from the actual ones; an overlay fixes that.',
    },
  ),
];

function alert(
  name: string,
  severity: Alert['labels']['severity'],
  wait: string,
  expr: string,
  annotations: Alert['annotations'],
): Alert {
  return { alert: name, expr, for: wait, labels: { severity }, annotations };
}
