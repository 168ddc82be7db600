import type { Comparison } from '../../lab/comparison.ts';
import { configurationsOf } from '../../lab/policy-configuration.ts';
import { Refused } from '../analysis/refused.ts';
import type { LabAnswer, LabRun } from '../api.ts';
import type { DashboardSource } from './dashboard-source.ts';
import { readLabRequest } from './lab-request.ts';

/** Runs one comparison at a time, if the source can. */
export class LabService {
  private readonly source: DashboardSource;
  private readonly tell: (running: LabRun | undefined) => void;
  private running: LabRun | undefined;
  private comparison: Comparison | undefined;
  private failure: string | undefined;
  private runs = 0;
  private readonly stop = new AbortController();

  constructor(source: DashboardSource, tell: (running: LabRun | undefined) => void) {
    this.source = source;
    this.tell = tell;
  }

  /** Changes whenever the answer does. */
  get version(): string {
    return `${this.runs}-${this.running?.share ?? 'rest'}`;
  }

  answer(): Omit<LabAnswer, 'version'> {
    const { running, comparison, failure, source } = this;
    return {
      ...(source.lab === undefined ? {} : { choices: source.lab.choices }),
      ...(running === undefined ? {} : { running }),
      ...(comparison === undefined ? {} : { comparison }),
      configurations: comparison === undefined ? {} : configurationsOf(comparison),
      ...(failure === undefined ? {} : { failure }),
    };
  }

  /** Throws Refused if the request is invalid or a comparison is running. */
  start(body: unknown): LabRun {
    const { lab } = this.source;
    if (lab === undefined) throw new Refused(404, 'simulations need a simulated cluster: decant demo');
    const request = readLabRequest(body, lab.choices);
    if (this.running !== undefined) throw new Refused(409, 'a comparison is already running');
    const run: LabRun = { id: ++this.runs, request, share: 0 };
    this.progressed(run);
    this.failure = undefined;
    lab
      .run(request, (share) => this.progressed({ ...run, share }), this.stop.signal)
      .then(
        (comparison) => {
          this.comparison = comparison;
        },
        (error: unknown) => {
          this.failure = error instanceof Error ? error.message : String(error);
        },
      )
      .finally(() => this.progressed(undefined));
    return run;
  }

  close(): void {
    this.stop.abort();
  }

  private progressed(running: LabRun | undefined): void {
    this.running = running;
    if (!this.stop.signal.aborted) this.tell(running);
  }
}
