import { setTimeout as sleep } from 'node:timers/promises';
import { loadCatalog } from '../../src/catalog/load.ts';
import { DEFAULT_CONTROLLER_SETTINGS } from '../../src/config/controller-settings.ts';
import { parseGoDuration } from '../../src/engine/cluster/go-duration.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, ZONE } from '../../src/engine/cluster/well-known.ts';
import { CALM } from '../../src/lab/built-in-policies.ts';
import type { ApiClient } from '../../src/live/api-client.ts';
import { pathOf, RESOURCES } from '../../src/live/resource.ts';
import { Offerings } from '../../src/simulator/offerings.ts';
import { Cluster } from '../../test/e2e/cluster.ts';
import { DecantRun } from '../../test/e2e/decant-run.ts';
import { History } from '../../test/e2e/history.ts';
import type { NodeClaim } from '../../test/e2e/kube-objects.ts';
import { clientOf, installDecant } from '../../test/e2e/live.ts';
import { scenarioPolicy, scenarioPool } from '../../test/e2e/scenario-pools.ts';
import { deployment, disruptionBudget } from '../../test/e2e/workloads.ts';
import { APPS, BATCH, replicasAt } from './day.ts';
import { play } from './play.ts';

export type DayPolicy = 'stock' | 'balanced' | 'calm';

export interface DayOptions {
  readonly policy: DayPolicy;
  readonly seed: number;
  /** How long a day takes. */
  readonly minutes: number;
  readonly warmUpDays: number;
  readonly say: (line: string) => void;
}

/** Of the day after the warm-up. */
export interface DayFigures {
  readonly dollarsPerHour: number;
  readonly evictions: number;
  readonly launched: number;
  /** Mean number of pods that wait for a node or start on one. */
  readonly pending: number;
}

const POOL = 'day';
const TYPES = ['c-2x', 'c-4x', 'm-4x', 'c-8x', 'm-8x'].map((name) => `${name}-amd64-linux`);
const BUDGET = [{ nodes: '20%' }];
const SAMPLE_MS = 1_000;

/** Days on a real control plane of its own; the last one counts. */
export async function oneRun({ policy, seed, minutes, warmUpDays, say }: DayOptions): Promise<DayFigures> {
  const scale = (24 * 60) / minutes;
  await using cluster = await Cluster.start({ say });
  await cluster.plane.kubectl(['delete', 'nodepool', 'default']);
  await installDecant(cluster);
  const isDecant = policy === 'calm';
  const consolidateAfter = shortened(60, scale);
  const consolidationPolicy = policy === 'balanced' ? 'Balanced' : 'WhenEmptyOrUnderutilized';
  const disruption = { budgets: BUDGET, consolidationPolicy, consolidateAfter: isDecant ? 'Never' : consolidateAfter };
  const first = replicasAt(0, seed);
  await cluster.apply(
    scenarioPool(POOL, { disruption, instanceTypes: TYPES }),
    ...(isDecant ? [scenarioPolicy(POOL, { consolidateAfter, budgets: BUDGET })] : []),
    ...[...APPS, BATCH].map(({ name, cpu, memory }) =>
      deployment(name, { cpu, memory, replicas: first.get(name) ?? 0, nodeSelector: { scenario: POOL } }),
    ),
    ...APPS.map(({ name }) => disruptionBudget(name, 2)),
  );
  await cluster.settled([...first.values()].reduce((a, b) => a + b, 0));
  const client = await clientOf(cluster);
  await using history = await History.record(client);
  await using _run = isDecant ? await DecantRun.start(cluster, { flags: calmFlags(scale) }) : undefined;
  await play(cluster, seed, 0, 24 * warmUpDays, minutes);
  say(`${policy}, seed ${seed}: warmed up`);
  const startMs = Date.now();
  const sampling = new AbortController();
  const samples = sampled(client, await pricesOf(cluster), sampling.signal);
  await play(cluster, seed, 24 * warmUpDays, 24, minutes);
  sampling.abort();
  const endMs = Date.now();
  const dollars = await samples;
  await history.stop();
  return {
    dollarsPerHour: mean(dollars.map((each) => each.dollarsPerHour)),
    pending: mean(dollars.map((each) => each.pending)),
    evictions: evictionsIn(history, startMs, endMs),
    launched: launchedIn(history, startMs, endMs),
  };
}

/** The settings of the policy `calm`, its times and its price of an eviction as much shorter as the day is. */
function calmFlags(scale: number): readonly string[] {
  const { stabilizationWindowMs } = DEFAULT_CONTROLLER_SETTINGS;
  return [
    ...['--mode', 'act'],
    ...Object.entries(CALM.switches).flatMap(([name, value]) => {
      const ms = parseGoDuration(value);
      return [`--${name}`, ms === undefined ? value : shortened(ms / 1000, scale)];
    }),
    ...['--stabilization-window', shortened(stabilizationWindowMs / 1000, scale)],
    // Karpenter's own is a constant.
    ...['--validation-delay', '15s'],
  ];
}

/** Seconds of a day as a duration of the short one; Karpenter takes whole seconds. */
function shortened(seconds: number, scale: number): string {
  return `${Math.max(1, Math.round(seconds / scale))}s`;
}

interface Sample {
  readonly dollarsPerHour: number;
  readonly pending: number;
}

type PriceOf = (labels: Readonly<Record<string, string>>) => number;

async function pricesOf(cluster: Cluster): Promise<PriceOf> {
  const { types } = await loadCatalog({ name: cluster.plane.instanceTypes });
  const offerings = new Offerings(types, []);
  return (labels) => offerings.priceOf(labels[INSTANCE_TYPE], labels[ZONE], labels[CAPACITY_TYPE]);
}

/** What is paid for, every second until the signal. */
async function sampled(client: ApiClient, priceOf: PriceOf, signal: AbortSignal): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  while (!signal.aborted) {
    const { items } = await client.request<{ items: readonly NodeClaim[] }>({
      method: 'GET',
      path: pathOf(RESOURCES.NodeClaim),
    });
    const launched = items.filter(({ metadata }) => metadata.labels?.[INSTANCE_TYPE] !== undefined);
    const prices = launched.map(({ metadata }) => priceOf(metadata.labels ?? {}));
    const pods = await client.request<{ items: readonly unknown[] }>({
      method: 'GET',
      path: '/api/v1/namespaces/default/pods',
      query: { fieldSelector: 'status.phase=Pending' },
    });
    samples.push({ dollarsPerHour: prices.reduce((a, b) => a + b, 0), pending: pods.items.length });
    await sleep(SAMPLE_MS, undefined, { signal }).catch(() => undefined);
  }
  return samples;
}

/** Pods that were evicted through the API: the API server itself notes that. */
function evictionsIn(history: History, fromMs: number, toMs: number): number {
  const evicted = new Set<string>();
  for (const { change } of history.moments()) {
    if (change.kind !== 'Pod') continue;
    const mark = change.object.status.conditions?.find(({ type }) => type === 'DisruptionTarget');
    if (mark?.reason !== 'EvictionByEvictionAPI') continue;
    const atMs = Date.parse(mark.lastTransitionTime);
    if (atMs >= fromMs && atMs < toMs) evicted.add(change.object.metadata.name);
  }
  return evicted.size;
}

function launchedIn(history: History, fromMs: number, toMs: number): number {
  const launched = new Set<string>();
  for (const { change } of history.moments()) {
    if (change.kind !== 'NodeClaim') continue;
    const { name, creationTimestamp } = change.object.metadata;
    const atMs = Date.parse(creationTimestamp);
    if (atMs >= fromMs && atMs < toMs) launched.add(name);
  }
  return launched.size;
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
}
