import type { PolicyCondition, PolicyStatus } from '../config/policy-status.ts';
import { type ApiClient, isStatus } from '../live/api-client.ts';
import { errorInWords, type Log } from './log.ts';
import { type StatusDraft, type StatusSources, statusOf } from './policy-status.ts';

/** Minimum time between writes that change only numbers. */
const NUMBERS_MS = 30_000;
/** Smaller relative changes of prices are ignored. */
const NOTICEABLE = 0.01;

export interface StatusWriterOptions {
  readonly client: ApiClient;
  readonly log: Log;
  readonly nowMs: () => number;
}

interface Written {
  readonly status: PolicyStatus;
  readonly atMs: number;
}

/** Keeps the status of every ConsolidationPolicy current, with few writes. */
export class StatusWriter {
  private readonly options: StatusWriterOptions;
  private readonly written = new Map<string, Written>();

  constructor(options: StatusWriterOptions) {
    this.options = options;
  }

  /**
   * Never throws: a failed write is repeated next time. Returns the delay until the next update, if a change is not yet
   * due.
   */
  async update(sources: StatusSources): Promise<number | undefined> {
    let laterMs: number | undefined;
    const { policies = [] } = sources.view;
    const names = new Set(policies.map((p) => p.name));
    for (const name of this.written.keys()) if (!names.has(name)) this.written.delete(name);
    for (const policy of policies) {
      try {
        const waitMs = await this.write(policy.name, statusOf(policy, sources), sources.pools !== undefined);
        if (waitMs > 0) laterMs = Math.min(laterMs ?? waitMs, waitMs);
      } catch (error) {
        this.written.delete(policy.name);
        if (isStatus(error, 404)) continue;
        const { log } = this.options;
        log.warn('ConsolidationPolicy status not written', { policy: policy.name, error: errorInWords(error) });
      }
    }
    return laterMs;
  }

  /** Returns the delay until a write is due; 0 if it is done or unnecessary. */
  private async write(name: string, draft: StatusDraft, hasFigures: boolean): Promise<number> {
    const { client, nowMs } = this.options;
    const path = `/apis/decant.sh/v1alpha1/consolidationpolicies/${encodeURIComponent(name)}`;
    const known = this.written.get(name) ?? { status: await this.read(path), atMs: Number.NEGATIVE_INFINITY };
    const wanted = dated(hasFigures ? draft : { ...draft, ...figuresOf(known.status) }, known.status, nowMs());
    const waitMs = dueIn(wanted, known, nowMs());
    if (waitMs !== 0) {
      this.written.set(name, known);
      return waitMs ?? 0;
    }
    const contentType = 'application/merge-patch+json';
    await client.request({ method: 'PATCH', path: `${path}/status`, body: { status: wanted }, contentType });
    this.written.set(name, { status: wanted, atMs: nowMs() });
    return 0;
  }

  /** As the previous leader left it: unchanged conditions keep their time. */
  private async read(path: string): Promise<PolicyStatus> {
    const { status } = await this.options.client.request<{ readonly status?: Partial<PolicyStatus> }>({
      method: 'GET',
      path,
    });
    return { ...NOTHING, ...status };
  }
}

const NOTHING: PolicyStatus = {
  conditions: [],
  nodePools: 0,
  nodes: 0,
  openCommands: 0,
  currentCentsPerHour: 0,
  plannedCentsPerHour: 0,
};

function figuresOf({ nodes, currentCentsPerHour, plannedCentsPerHour }: PolicyStatus): Partial<PolicyStatus> {
  return { nodes, currentCentsPerHour, plannedCentsPerHour };
}

/** A condition keeps its time while its status is unchanged. */
function dated(draft: StatusDraft, known: PolicyStatus, nowMs: number): PolicyStatus {
  const now = `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
  const { observedGeneration } = draft;
  const conditions = draft.conditions.map((condition): PolicyCondition => {
    const before = known.conditions.find((c) => c.type === condition.type);
    const since = before?.status === condition.status ? before.lastTransitionTime : now;
    return {
      ...condition,
      lastTransitionTime: since,
      ...(observedGeneration === undefined ? {} : { observedGeneration }),
    };
  });
  return { ...draft, conditions };
}

/** undefined: never. */
function dueIn(wanted: PolicyStatus, known: Written, nowMs: number): number | undefined {
  if (facts(wanted) !== facts(known.status)) return 0;
  if (sameNumbers(wanted, known.status)) return undefined;
  return Math.max(0, NUMBERS_MS - Math.abs(nowMs - known.atMs));
}

/** Everything except numbers that follow the cluster. */
function facts({ conditions, observedGeneration, nodePools }: PolicyStatus): string {
  const plain = conditions.map(({ type, status, reason, message }) => [type, status, reason, message]);
  return JSON.stringify([plain, observedGeneration ?? null, nodePools]);
}

function sameNumbers(a: PolicyStatus, b: PolicyStatus): boolean {
  const near = (x: number, y: number) => Math.abs(x - y) <= NOTICEABLE * Math.max(Math.abs(x), Math.abs(y));
  return (
    a.nodes === b.nodes &&
    a.openCommands === b.openCommands &&
    near(a.currentCentsPerHour, b.currentCentsPerHour) &&
    near(a.plannedCentsPerHour, b.plannedCentsPerHour)
  );
}
