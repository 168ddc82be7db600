import type { PolicyName } from '../engine/disruption/pool-policy.ts';
import type { NodeExplanation } from '../engine/explanation/node-explanation.ts';
import type { PlanBound, PlanCoverage, PlannedMove } from '../engine/plan-document.ts';
import type { Refusal } from '../engine/refusal.ts';
import type { Comparison } from '../lab/comparison.ts';
import type { PolicyConfiguration } from '../lab/policy-configuration.ts';
import type { Decision } from '../report/decision.ts';

/**
 * What the dashboard's server tells its page. Every answer is a GET of JSON, but for POST /api/lab/runs. Money is in
 * cents per hour, cpu in millicores, memory in MiB, shares from 0 to 1, times in milliseconds since 1970.
 *
 * Everything about the cluster comes from one picture of it: answers with the same `version` go together. A picture is
 * first surveyed (every node by itself, at once) and then planned, which may take seconds: that is a version of its own.
 */

/** GET /api/state: what the page's frame shows, and whether anything else is worth asking for again. */
export interface StateAnswer {
  readonly source: Source;
  readonly version: number;
  /** Of the picture. In a simulated cluster: virtual. */
  readonly nowMs: number;
  readonly totals: Totals;
  readonly planning: Planning;
  /** Who acts on the cluster: nobody here (a file), a controller that only watches, one that acts. */
  readonly mode: 'read-only' | 'observe' | 'act';
  /** Of a simulated cluster: virtual milliseconds that pass in a second. */
  readonly speed?: number;
  readonly health: Health;
}

export interface Source {
  readonly kind: 'snapshot' | 'demo' | 'live';
  /** A file, a workload and its policy, a cluster. */
  readonly name: string;
}

/** `share` of the search that is done, about. */
export type Planning = { readonly state: 'ready' } | { readonly state: 'working'; readonly share: number };

export interface Totals {
  readonly nodes: number;
  readonly pods: number;
  readonly pendingPods: number;
  readonly centsPerHour: number;
  /** What the plan comes to; undefined until there is one. */
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
  /** Moves that a brake of the controller holds back for now. */
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

/** One thing to say, the worst. */
export interface Health {
  readonly status: 'ok' | 'warning' | 'error';
  readonly message: string;
}

/** GET /api/cluster: every node and what fills it. */
export interface ClusterAnswer {
  readonly version: number;
  readonly packing: Packing;
}

/**
 * Nodes and pods in columns, so that 5,000 nodes with 50,000 pods stay small: one entry per node or pod in each.
 * Numbers that name things are indexes into the lists of `names`.
 */
export interface Packing {
  readonly names: {
    readonly pools: readonly string[];
    readonly zones: readonly string[];
    readonly types: readonly string[];
    readonly capacityTypes: readonly string[];
    readonly decisions: readonly Decision[];
    /** First reasons why nodes stay, in words. */
    readonly reasons: readonly string[];
    /** The same by kind, to be counted. */
    readonly refusals: readonly Refusal['code'][];
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
  /** null: the catalog has no price for it. */
  readonly centsPerHour: readonly (number | null)[];
  readonly decision: readonly number[];
  /** -1: nothing to say. */
  readonly reason: readonly number[];
  /** Kind of the first refusal; -1: nothing refuses. */
  readonly refusal: readonly number[];
  /** As the utilization gate sees it. */
  readonly utilization: readonly number[];
  /** 1-based number of the move that it leaves in, or that launches it; 0: none. */
  readonly move: readonly number[];
  /** Pods of node i are those from `firstPod[i]` up to, not including, `firstPod[i + 1]`; one entry more than nodes. */
  readonly firstPod: readonly number[];
}

/** Node by node, and after those of the last node the pods that wait for one. */
export interface PodColumns {
  readonly namespace: readonly number[];
  readonly name: readonly string[];
  /** Requests. */
  readonly cpu: readonly number[];
  readonly memory: readonly number[];
  /** Those that the plan moves, by index, ascending. */
  readonly moving: readonly number[];
}

/** GET /api/nodes/<name>: the same as `decant explain node`, in data and in words. */
export interface NodeAnswer {
  readonly version: number;
  readonly explanation: NodeExplanation;
  /** The verdict as a sentence, without the node's name: "stays: …". */
  readonly verdict: string;
  readonly gates: readonly GateRow[];
  /** What would unlock it; empty for nodes that go or wait. */
  readonly unlocks: UnlockWords;
  /** Where its pods would go, in sentences. */
  readonly removal: readonly string[];
  readonly disruption: DisruptionSum;
}

/** In order; `phase` move: asked as if every gate for nodes had passed. */
export interface GateRow {
  readonly title: string;
  readonly phase: 'node' | 'move';
  readonly verdict: 'pass' | 'fail' | 'off' | 'not-reached';
  readonly message: string;
}

export interface UnlockWords {
  /** All of these … */
  readonly all: readonly string[];
  /** … and one of these. */
  readonly oneOf: readonly string[];
  /** Where nothing unlocks it: how far the likeliest changes lead. */
  readonly deadEnd?: string;
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
  /** What it adds; undefined: it does not count (mirror pods, pods that are over). */
  readonly cost?: number;
  /** moves: it would be evicted and find another place; daemon: it goes with its node. */
  readonly role: 'moves' | 'daemon' | 'stays';
  /** Where the plan, or the node's removal by itself, would put it. */
  readonly to?: string;
}

/**
 * What the sliders ask. In a query string: threshold (cents), utilization (0 to 1), grace (a duration such as 1h30m),
 * policy, minPercent, pool (only this one is asked about). What is left out stays as it is.
 */
export interface WhatIfQuestion {
  readonly threshold?: number;
  readonly utilization?: number;
  readonly grace?: string;
  readonly policy?: PolicyName;
  readonly minPercent?: number;
  readonly pool?: string;
}

/** GET /api/boundary?…: what each candidate would be told under the question; at once, while a finger moves. */
export interface BoundaryAnswer {
  readonly version: number;
  readonly question: WhatIfQuestion;
  /** What counts now, over the pools in question: where the sliders stand before anybody touches them. */
  readonly now: EffectiveKnobs;
  readonly names: { readonly pools: readonly string[]; readonly reasons: readonly string[] };
  readonly points: BoundaryPoints;
  /** Sums of what single nodes would save: moves made together compete for room, so a plan saves less (ask what-if). */
  readonly sums: { readonly now: SumOfSingles; readonly asked: SumOfSingles };
  readonly configuration: PolicyConfiguration;
  readonly elapsedMs: number;
}

/** undefined: the pools differ. */
export interface EffectiveKnobs {
  readonly threshold?: number;
  readonly utilization: number;
  readonly grace?: string;
  readonly policy?: PolicyName;
  readonly minPercent?: number | 'auto';
}

/**
 * One entry per candidate: nodes that could be removed if the knobs were all open. Others are not in the picture, as no
 * knob here changes anything for them.
 */
export interface BoundaryPoints {
  readonly node: readonly string[];
  readonly pool: readonly number[];
  readonly centsPerHour: readonly number[];
  readonly disruptionCost: readonly number[];
  /** By itself, as the threshold's gate counts, whether or not that is enough; 0: there is nothing cheaper. */
  readonly savingsCentsPerHour: readonly number[];
  /** Under the question. */
  readonly requiredCentsPerHour: readonly number[];
  readonly evictions: readonly number[];
  /** 1: it is empty, and what it saves is not weighed. */
  readonly exempt: readonly (0 | 1)[];
  /** Does it go by itself: 0 no, 1 deleted, 2 replaced. */
  readonly now: readonly BoundaryVerdict[];
  readonly asked: readonly BoundaryVerdict[];
  /** Under the question without its threshold. So a page that moves the line knows at once, all but exactly: it goes if this is not 0 and it is exempt or on or above the line. */
  readonly unbounded: readonly BoundaryVerdict[];
  /** Why not, under the question; -1: it goes. */
  readonly reason: readonly number[];
}

export type BoundaryVerdict = 0 | 1 | 2;

export interface SumOfSingles {
  readonly nodes: number;
  readonly savingsCentsPerHour: number;
  readonly evictions: number;
}

/** GET /api/what-if?…: the merged plan under the question; for when the finger rests. */
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
  readonly plan?: PlanView;
}

export interface PlanView {
  readonly totals: Totals & { readonly planned: PlannedTotals };
  /** In order; `wave` says which may begin together. */
  readonly moves: readonly MoveView[];
  readonly bound?: PlanBound;
  readonly coverage?: PlanCoverage;
  /** How much was looked at and how long it took, in words. */
  readonly effort: string;
  /** Other things that are worth a sentence. */
  readonly notes: readonly string[];
  readonly before: Packing;
  /** Without the nodes that leave, with the new ones, pods where they would be. */
  readonly after: Packing;
}

/** GET /api/bound: how cheap the cluster could be at best, proven on demand; it may take 20 seconds. */
export interface BoundAnswer {
  readonly version: number;
  /** Of the picture whose plan it is about. */
  readonly nowMs: number;
  readonly bound: PlanBound;
}

export interface MoveView extends PlannedMove {
  /** "replace 2 nodes by one c5a.2xlarge …" */
  readonly words: string;
  /** "saves $0.096/h, 10 pods to move …" */
  readonly consequence: string;
  /** By a brake of the controller: why, and until when, if that is known. */
  readonly held?: { readonly why: string; readonly untilMs?: number };
}

/** GET /api/timeline: what happened since the start, in at most MOST_SAMPLES even steps. */
export interface TimelineAnswer {
  readonly version: number;
  readonly samples: TimelineColumns;
  /** Newest last. */
  readonly events: readonly TimelineEvent[];
  /** Older ones that are not told any more. */
  readonly eventsDropped: number;
  /** Of a run that is over: what it was, and what it came to. */
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
  readonly kind: 'begun' | 'done' | 'given-up' | 'launched' | 'leaving' | 'error';
  readonly text: string;
  /** Nodes that it is about, where they are known by name. */
  readonly nodes: readonly string[];
}

/** GET /api/lab */
export interface LabAnswer {
  readonly version: number;
  /** Set where runs can be started: a simulated cluster. */
  readonly choices?: LabChoices;
  readonly running?: LabRun;
  /** Of the last run, or given at the start. */
  readonly comparison?: Comparison;
  /** By name of the policy: what to paste. */
  readonly configurations: Readonly<Record<string, PolicyConfiguration>>;
  /** Why the last run came to nothing. */
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

/** POST /api/lab/runs, as application/json; answered with LabRun. One run at a time: 409 while there is one. */
export interface LabRequest {
  readonly workload: string;
  readonly policies: readonly string[];
  readonly seeds: number;
  readonly days: number;
}

/**
 * GET /api/events: server-sent events, each with its version as id. `state` comes at once and whenever the picture or its
 * plan is another (refetch what is shown), `tick` in between for figures that run, `lab` while simulations do. A comment
 * every few seconds says that the server is still there.
 */
export interface LiveEvents {
  readonly state: StateAnswer;
  readonly tick: { readonly nowMs: number; readonly totals: Totals };
  readonly lab: { readonly running?: LabRun };
}

/** With every status of 400 and above. */
export interface ErrorAnswer {
  readonly error: string;
  /** The parameter that is wrong, and what would be right. */
  readonly parameter?: string;
  readonly allowed?: string;
}
