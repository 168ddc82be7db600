import type { Comparison } from '../../lab/comparison.ts';
import { configurationsOf } from '../../lab/policy-configuration.ts';
import { Refused } from '../analysis/refused.ts';
import type { LabAnswer, LabChoices, LabRequest, LabRun } from '../api.ts';
import type { DashboardSource } from './dashboard-source.ts';

/** Results that are kept for as long as the process runs. */
const MAX_RESULTS = 10;

interface LabResult {
  readonly id: number;
  readonly request: LabRequest;
  readonly comparison: Comparison;
}

/** Runs one comparison at a time, if the source can. */
export class LabService {
  private readonly source: DashboardSource;
  private readonly tell: (running: LabRun | undefined) => void;
  private running: LabRun | undefined;
  /** The newest first. */
  private results: readonly LabResult[] = [];
  private failure: string | undefined;
  private runs = 0;
  private readonly closing = new AbortController();
  private cancelling = new AbortController();

  constructor(source: DashboardSource, tell: (running: LabRun | undefined) => void) {
    this.source = source;
    this.tell = tell;
  }

  /** `run`: the id of an earlier run; the newest by default. */
  answer(run?: string): Omit<LabAnswer, 'version'> {
    const { running, results, failure, source } = this;
    const shown = results.find(({ id }) => String(id) === run) ?? results.at(0);
    return {
      ...(source.lab === undefined ? {} : { choices: source.lab.choices }),
      ...(running === undefined ? {} : { running }),
      results: results.map(({ id, request }) => ({ id, request })),
      ...(shown === undefined ? {} : { shown: shown.id, comparison: shown.comparison }),
      configurations: shown === undefined ? {} : configurationsOf(shown.comparison),
      ...(failure === undefined ? {} : { failure }),
    };
  }

  /** Throws Refused if the request is invalid or a comparison is running. */
  start(body: unknown): LabRun {
    const { lab } = this.source;
    if (lab === undefined) throw new Refused(404, 'there is no cluster to simulate');
    const request = readLabRequest(body, lab.choices);
    if (this.running !== undefined) throw new Refused(409, 'a comparison is already running');
    const run: LabRun = { id: ++this.runs, request, share: 0 };
    this.progressed(run);
    this.failure = undefined;
    this.cancelling = new AbortController();
    const stop = AbortSignal.any([this.closing.signal, this.cancelling.signal]);
    const { cancelling } = this;
    lab
      .run(request, (share) => this.progressed({ ...run, share }), stop)
      .then(
        (comparison) => {
          this.results = [{ id: run.id, request, comparison }, ...this.results].slice(0, MAX_RESULTS);
        },
        (error: unknown) => {
          if (!cancelling.signal.aborted) this.failure = error instanceof Error ? error.message : String(error);
        },
      )
      .finally(() => this.progressed(undefined));
    return run;
  }

  /** Throws Refused if nothing is running. */
  cancel(): LabRun {
    if (this.running === undefined) throw new Refused(409, 'no comparison is running');
    this.cancelling.abort();
    return this.running;
  }

  close(): void {
    this.closing.abort();
  }

  private progressed(running: LabRun | undefined): void {
    this.running = running;
    if (!this.closing.signal.aborted) this.tell(running);
  }
}

/** Throws Refused with the field and its allowed values. */
function readLabRequest(body: unknown, choices: LabChoices): LabRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refused(400, 'the body is not a JSON object with workload, policies, seeds and days');
  const { workload, policies, seeds, days, ...others } = body as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw bad(unknown.slice(0, 60), 'workload, policies, seeds, days');
  if (!isOneOf(workload, choices.workloads)) throw bad('workload', choices.workloads.join(', '));
  const named = Array.isArray(policies) && policies.length > 0 && new Set(policies).size === policies.length;
  if (!named || !policies.every((each) => isOneOf(each, choices.policies)))
    throw bad('policies', `a list of ${choices.policies.join(', ')}, each once`);
  const { mostSeeds, mostDays } = choices;
  if (typeof seeds !== 'number' || !Number.isInteger(seeds) || seeds < 1 || seeds > mostSeeds)
    throw bad('seeds', `a whole number from 1 to ${mostSeeds}`);
  if (typeof days !== 'number' || !(days > 0 && days <= mostDays))
    throw bad('days', `a number above 0 and up to ${mostDays}`);
  return { workload, policies, seeds, days };
}

function isOneOf(value: unknown, choices: readonly string[]): value is string {
  return typeof value === 'string' && choices.includes(value);
}

function bad(parameter: string, allowed: string): Refused {
  return new Refused(400, `${parameter} is not allowed`, { parameter, allowed });
}
