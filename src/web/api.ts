import type { PolicyName } from '../engine/disruption/pool-policy.ts';
import type { NodeExplanation } from '../engine/explanation/node-explanation.ts';
import type { PlanBound, PlanCoverage, PlannedMove } from '../engine/plan-document.ts';
import type { Refusal } from '../engine/refusal.ts';
import type { Comparison } from '../lab/comparison.ts';
import type { PolicyConfiguration } from '../lab/policy-configuration.ts';
import type { Decision } from '../report/decision.ts';
import type { UnlocksInWords } from '../report/node-words.ts';

/**
 * The API between the dashboard's server and its page. Every answer is JSON from a GET, except POST /api/lab/runs.
 * Money is in cents per hour, cpu in millicores, memory in MiB, shares from 0 to 1, times in milliseconds since 1970.
 *
 * Everything about the cluster comes from one picture of it: answers with the same `version` belong together. A picture
 * is first evaluated (every node by itself, at once) and then planned, which may take seconds and gives a new version.
 */

/** GET /api/state: the page's frame, and whether other answers are outdated. */
export interface StateAnswer {
  readonly source: Source;
  readonly version: number;
  /** Time of the picture; virtual in a simulated cluster. */
  readonly nowMs: number;
  readonly totals: Totals;
  readonly planning: Planning;
  /** read-only: a file; follow: a cluster, whatever its controller does; observe: a controller that only watches; act: one that acts. */
  readonly mode: 'read-only' | 'follow' | 'observe' | 'act';
  /** In a simulated cluster: virtual milliseconds per second. */
  readonly speed?: number;
  readonly health: Health;
}

export interface Source {
  readonly kind: 'snapshot' | 'demo' | 'live';
  /** Name of the file, the workload and policy, or the cluster. */
  readonly name: string;
}

/** `share`: estimated share of the search that is done. */
export type Planning = { readonly state: 'ready' } | { readonly state: 'working'; readonly share: number };

export interface Totals {
  readonly nodes: number;
  readonly pods: number;
  readonly pendingPods: number;
  readonly centsPerHour: number;
  /** Totals of the plan, once there is one. */
  readonly planned?: PlannedTotals;
  /** Of a simulated cluster: savings since its start, against the same workload under the baseline. */
  readonly sinceStart?: SinceStart;
}

export interface PlannedTotals {
  readonly nodes: number;
  readonly centsPerHour: number;
  readonly savingsCentsPerHour: number;
  readonly evictions: number;
  readonly moves: number;
  readonly waves: number;
  /** Moves that a brake of the controller holds back. */
  readonly held?: number;
}

export interface SinceStart {
  readonly costDollars: number;
  /** "stock Karpenter" or "no consolidation". */
  readonly baseline: string;
  readonly baselineDollars: number;
  readonly baselineEvictions: number;
  readonly evictions: number;
  readonly commands: number;
}

/** The most severe message. */
export interface Health {
  readonly status: 'ok' | 'warning' | 'error';
  readonly message: string;
}

/** GET /api/cluster: every node and its pods. */
export interface ClusterAnswer {
  readonly version: number;
  readonly packing: ClusterColumns;
}

/**
 * Nodes and pods in columns, so that 5,000 nodes with 50,000 pods stay small: one entry per node or pod. Name columns
 * are indexes into the lists of `names`.
 */
export interface ClusterColumns {
  readonly names: {
    readonly pools: readonly string[];
    readonly zones: readonly string[];
    readonly types: readonly string[];
    readonly capacityTypes: readonly string[];
    readonly decisions: readonly Decision[];
    /** Texts of the first reason why nodes stay. */
    readonly reasons: readonly string[];
    /** Codes of the same reasons, for counting. */
    readonly refusals: readonly Refusal['code'][];
    /** States of nodes, such as "drifted"; several are separated by commas. */
    readonly marks: readonly string[];
    readonly namespaces: readonly string[];
  };
  readonly nodes: NodeColumns;
  readonly pods: PodColumns;
}

export interface NodeColumns {
  readonly name: readonly string[];
  readonly pool: readonly number[];
  readonly zone: readonly number[];
  readonly type: readonly number[];
  readonly capacityType: readonly number[];
  /** Allocatable. */
  readonly cpu: readonly number[];
  readonly memory: readonly number[];
  /** null if the catalog has no price. */
  readonly centsPerHour: readonly (number | null)[];
  readonly decision: readonly number[];
  /** -1 if there is none. */
  readonly reason: readonly number[];
  /** Code of the first refusal; -1 if nothing refuses. */
  readonly refusal: readonly number[];
  /** As the utilization gate computes it. */
  readonly utilization: readonly number[];
  /** 1-based number of the move that removes or launches it; 0 for none. */
  readonly move: readonly number[];
  /** -1 for none. */
  readonly mark: readonly number[];
  /** Pods of node i: from `firstPod[i]` up to, not including, `firstPod[i + 1]`. One entry more than nodes. */
  readonly firstPod: readonly number[];
}

/** By node; pending pods come after those of the last node. */
export interface PodColumns {
  readonly namespace: readonly number[];
  readonly name: readonly string[];
  /** Requests. */
  readonly cpu: readonly number[];
  readonly memory: readonly number[];
  /** Indexes of the pods that the plan moves, ascending. */
  readonly moving: readonly number[];
}

/** GET /api/nodes/<name>: the content of `decant explain node`, as data and as text. */
export interface NodeAnswer {
  readonly version: number;
  readonly explanation: NodeExplanation;
  /** The verdict without the node's name: "stays: …". */
  readonly verdict: string;
  readonly gates: readonly GateRow[];
  /** What would unlock the node; empty if it goes or waits. */
  readonly unlocks: UnlocksInWords;
  /** Where its pods would go. */
  readonly removal: readonly string[];
  readonly disruption: DisruptionSum;
}

/** In order; `phase` move: evaluated as if every gate for nodes had passed. */
export interface GateRow {
  readonly title: string;
  readonly phase: 'node' | 'move';
  readonly verdict: 'pass' | 'fail' | 'off' | 'not-reached';
  readonly message: string;
}

/** (base + Σ pods' cost) × lifetimeRemaining = cost. */
export interface DisruptionSum {
  readonly base: number;
  readonly pods: readonly DisruptedPod[];
  readonly lifetimeRemaining: number;
  readonly cost: number;
}

export interface DisruptedPod {
  /** namespace/name */
  readonly pod: string;
  readonly cpu: number;
  readonly memory: number;
  /** Its share of the cost; undefined if it does not count (mirror pods, finished pods). */
  readonly cost?: number;
  /** moves: evicted and placed elsewhere; daemon: goes with its node. */
  readonly role: 'moves' | 'daemon' | 'stays';
  /** Destination, by the plan or if the node is removed by itself. */
  readonly to?: string;
}

/**
 * What the sliders ask. In a query string: threshold (cents), utilization (0 to 1), grace (a duration such as 1h30m),
 * policy, minPercent, pool (asks about this pool only). Missing values stay as they are.
 */
export interface WhatIfQuestion {
  readonly threshold?: number;
  readonly utilization?: number;
  readonly grace?: string;
  readonly policy?: PolicyName;
  readonly minPercent?: number;
  readonly pool?: string;
}

/** GET /api/boundary?…: the verdict on each candidate under the question; fast enough to ask during a drag. */
export interface BoundaryAnswer {
  readonly version: number;
  readonly question: WhatIfQuestion;
  /** Current values over the pools in question: the initial positions of the sliders. */
  readonly now: EffectiveKnobs;
  readonly names: { readonly pools: readonly string[]; readonly reasons: readonly string[] };
  readonly points: BoundaryPoints;
  /** Sums over single nodes. Moves made together compete for free capacity, so a plan saves less (ask what-if). */
  readonly sums: { readonly now: SumOfSingles; readonly asked: SumOfSingles };
  readonly configuration: PolicyConfiguration;
  readonly elapsedMs: number;
}

/** A value is undefined if the pools differ. */
export interface EffectiveKnobs {
  readonly threshold?: number;
  readonly utilization: number;
  readonly grace?: string;
  readonly policy?: PolicyName;
  readonly minPercent?: number | 'auto';
}

/**
 * One entry per candidate: nodes that could be removed with all knobs open. No knob changes anything for other nodes.
 */
export interface BoundaryPoints {
  readonly node: readonly string[];
  readonly pool: readonly number[];
  readonly centsPerHour: readonly number[];
  readonly disruptionCost: readonly number[];
  /** Savings of the node by itself as the threshold's gate counts them, sufficient or not; 0 if nothing is cheaper. */
  readonly savingsCentsPerHour: readonly number[];
  /** Under the question. */
  readonly requiredCentsPerHour: readonly number[];
  readonly evictions: readonly number[];
  /** 1 if the node is empty, so that its savings are not weighed. */
  readonly exempt: readonly (0 | 1)[];
  /** Whether it goes by itself: 0 no, 1 deleted, 2 replaced. */
  readonly now: readonly BoundaryVerdict[];
  readonly asked: readonly BoundaryVerdict[];
  /**
   * Under the question without its threshold. With this the page can move the line without asking: a node goes if this
   * is not 0 and it is exempt or on or above the line.
   */
  readonly unbounded: readonly BoundaryVerdict[];
  /** Why it stays under the question; -1 if it goes. */
  readonly reason: readonly number[];
}

export type BoundaryVerdict = 0 | 1 | 2;

export interface SumOfSingles {
  readonly nodes: number;
  readonly savingsCentsPerHour: number;
  readonly evictions: number;
}

/** GET /api/what-if?…: the merged plan under the question; asked when the slider rests. */
export interface WhatIfAnswer {
  readonly version: number;
  readonly question: WhatIfQuestion;
  readonly now: PlannedTotals;
  readonly asked: PlannedTotals;
  readonly elapsedMs: number;
}

/** GET /api/plan */
export interface PlanAnswer {
  readonly version: number;
  readonly planning: Planning;
  readonly plan?: PlanContent;
}

export interface PlanContent {
  readonly totals: Totals & { readonly planned: PlannedTotals };
  /** In order; `wave` says which may begin together. */
  readonly moves: readonly MoveView[];
  readonly bound?: PlanBound;
  readonly coverage?: PlanCoverage;
  /** Extent and duration of the search, as text. */
  readonly effort: string;
  /** Further remarks. */
  readonly notes: readonly string[];
  readonly before: ClusterColumns;
  /** Without the nodes that leave, with the new ones, pods where they would be. */
  readonly after: ClusterColumns;
}

/** GET /api/bound: how cheap the cluster could be at best, proven on demand. */
export interface BoundAnswer {
  readonly version: number;
  /** Time of the picture whose plan it is about. */
  readonly nowMs: number;
  readonly bound: PlanBound;
}

export interface MoveView extends PlannedMove {
  /** "replace 2 nodes by one c5a.2xlarge …" */
  readonly words: string;
  /** "saves $0.096/h, 10 pods to move …" */
  readonly consequence: string;
  /** Set if a brake of the controller holds the move back: why, and until when, if known. */
  readonly held?: { readonly why: string; readonly untilMs?: number };
}

/** GET /api/timeline: the history since the start, in at most MOST_SAMPLES even steps. */
export interface TimelineAnswer {
  readonly version: number;
  readonly samples: TimelineColumns;
  /** Newest last. */
  readonly events: readonly TimelineEvent[];
  /** Older events that are no longer kept. */
  readonly eventsDropped: number;
  /** Of a live cluster: the commands that are done, and what they save together. */
  readonly done?: { readonly commands: number; readonly savingsCentsPerHour: number };
  /** Of a finished run: what it was, and its result. */
  readonly about?: {
    readonly title: string;
    readonly facts: readonly { readonly name: string; readonly value: string }[];
  };
}

export interface TimelineColumns {
  readonly atMs: readonly number[];
  readonly centsPerHour: readonly number[];
  /** The same workload under the baseline, where there is one. */
  readonly baselineCentsPerHour?: readonly number[];
  readonly nodes: readonly number[];
  readonly pods: readonly number[];
  readonly pendingPods: readonly number[];
  /** Since the start. */
  readonly evictions: readonly number[];
  readonly reevictions: readonly number[];
}

export interface TimelineEvent {
  readonly atMs: number;
  readonly kind: 'begun' | 'done' | 'abandoned' | 'launched' | 'leaving' | 'error';
  readonly text: string;
  /** Nodes concerned, if known by name. */
  readonly nodes: readonly string[];
}

/** GET /api/lab?run=ID */
export interface LabAnswer {
  readonly version: number;
  /** Set where runs can be started. */
  readonly choices?: LabChoices;
  readonly running?: LabRun;
  /** Runs whose results are kept, the newest first. */
  readonly results: readonly Omit<LabRun, 'share'>[];
  /** The run that is shown: the one asked for, or the newest. */
  readonly shown?: number;
  readonly comparison?: Comparison;
  /** What the comparison was made for, if not for itself: the goal of a tuning, and what is recommended. */
  readonly about?: { readonly title: string; readonly lead: string };
  /** By name of the policy: what to paste. */
  readonly configurations: Readonly<Record<string, PolicyConfiguration>>;
  /** Why the last run failed. */
  readonly failure?: string;
}

export interface LabChoices {
  readonly workloads: readonly string[];
  readonly policies: readonly string[];
  readonly mostSeeds: number;
  readonly mostDays: number;
}

export interface LabRun {
  readonly id: number;
  readonly request: LabRequest;
  /** Of all simulations. */
  readonly share: number;
}

/** POST /api/lab/runs, as application/json; returns LabRun. One run at a time: 409 while one is active. */
export interface LabRequest {
  readonly workload: string;
  readonly policies: readonly string[];
  readonly seeds: number;
  readonly days: number;
}

/**
 * GET /api/events: server-sent events, each with its version as id. `state` is sent at once and whenever the picture or
 * its plan changes (refetch what is shown), `tick` in between for running totals, `lab` during simulations. A comment
 * every few seconds is the heartbeat.
 */
export interface LiveEvents {
  readonly state: StateAnswer;
  readonly tick: { readonly nowMs: number; readonly totals: Totals };
  readonly lab: { readonly running?: LabRun };
}

/** Body of every answer with status 400 or above. */
export interface ErrorAnswer {
  readonly error: string;
  /** The invalid parameter and its allowed values. */
  readonly parameter?: string;
  readonly allowed?: string;
}
