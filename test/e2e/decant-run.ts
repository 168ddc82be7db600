import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';
import { diesWithUs } from './control-plane/parent-death.ts';
import { type Waiting, waitFor } from './control-plane/readiness.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

type Line = Readonly<Record<string, unknown>> & { readonly level: string; readonly message: string };

export interface DecantRunOptions {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Of an administrator unless given. */
  readonly kubeconfig?: string;
  /** What the provider sells, unless given. */
  readonly catalog?: string;
  /** Of Node. */
  readonly nodeFlags?: readonly string[];
}

/** Short waits, so that a scenario takes seconds. */
const QUICK = ['--validation-delay', '2s', '--polling-period', '2s', '--stabilization-window', '20s'];

let runs = 0;

/** A `decant run` of its own process beside a cluster. */
export class DecantRun implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  readonly logFile: string;
  private output = '';

  private constructor(
    cluster: Cluster,
    { flags = [], env = {}, kubeconfig, catalog, nodeFlags = [] }: DecantRunOptions,
  ) {
    const { plane } = cluster;
    const given = [
      '--kubeconfig',
      kubeconfig ?? plane.kubeconfig,
      '--catalog',
      catalog ?? plane.instanceTypes,
      '--metrics-port',
      '0',
    ];
    const settings = [...given, '--log-level', 'debug', ...QUICK, ...flags];
    const command = [process.execPath, ...nodeFlags, MAIN, 'run', ...settings] as const;
    const [program, ...args] = diesWithUs(command);
    this.process = spawn(program, args, {
      env: { PATH: process.env.PATH, HOME: plane.folder, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.logFile = join(plane.folder, `decant-${++runs}.log`);
    this.process.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
      appendFileSync(this.logFile, text);
    });
    this.exited = once(this.process, 'exit').then(([code, signal]) => ({ code, signal }));
  }

  /** Returns when it runs, or has ended. */
  static async start(cluster: Cluster, options: DecantRunOptions = {}): Promise<DecantRun> {
    const run = new DecantRun(cluster, options);
    await run.until('decant runs', () => run.said(/^running$/) || run.process.exitCode !== null);
    return run;
  }

  get text(): string {
    return this.output;
  }

  get lines(): readonly Line[] {
    const whole = this.output.slice(0, this.output.lastIndexOf('\n') + 1);
    return whole.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));
  }

  said(message: RegExp): boolean {
    return this.lines.some((line) => message.test(line.message));
  }

  async until(what: string, holds: () => boolean | Promise<boolean>, waiting?: Waiting): Promise<void> {
    await waitFor(what, async () => (await holds()) || undefined, {
      pauseMs: 200,
      onTimeout: () => this.output.slice(-6000),
      ...waiting,
    });
  }

  async get(path: string): Promise<{ readonly status: number; readonly body: string }> {
    const { metrics } = this.lines.find((line) => line.message === 'running') as unknown as { metrics: string };
    const response = await fetch(new URL(path, metrics));
    return { status: response.status, body: await response.text() };
  }

  /** Sum over all lines of the metric that have these labels; undefined: there is none. */
  async metric(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number | undefined> {
    const { body } = await this.get('/metrics');
    const wanted = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
    const values = body
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .filter((line) => wanted.every((label) => line.includes(label)))
      .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
    return values.length === 0 ? undefined : values.reduce((a, b) => a + b, 0);
  }

  /** Resident memory, as Linux tells. */
  get residentMiB(): number {
    return this.#memoryMiB('VmRSS');
  }

  /** The most so far. */
  get peakMiB(): number {
    return this.#memoryMiB('VmHWM');
  }

  #memoryMiB(field: string): number {
    const status = readFileSync(`/proc/${this.process.pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024;
  }

  async stop(
    signal: NodeJS.Signals = 'SIGTERM',
  ): Promise<{ readonly code: number | null; readonly signal: string | null }> {
    this.process.kill(signal);
    return this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) await this.stop('SIGKILL');
  }
}
