import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { diesWithUs } from './parent-death.ts';

export interface CommandLine {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** One process of the control plane and its log. Only ever signals the process that it started itself. */
export class Component {
  readonly logFile: string;
  readonly #command: CommandLine;
  #child: ChildProcess | undefined;

  constructor(command: CommandLine, logFile: string) {
    this.#command = command;
    this.logFile = logFile;
  }

  /** Appends to the log of earlier lives. */
  start(): void {
    const log = openSync(this.logFile, 'a');
    const { program, args, env = {} } = this.#command;
    const [file, ...rest] = diesWithUs([program, ...args]);
    this.#child = spawn(file, rest, {
      // Nothing of the surroundings: no KUBECONFIG, no proxy, no GODEBUG. A session of its own: Ctrl-C is for us.
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    this.#child.on('error', () => {});
  }

  get running(): boolean {
    return this.#child?.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number | undefined {
    return this.running ? this.#child!.pid : undefined;
  }

  /** At once; the data of a control plane is thrown away anyway. */
  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    if (this.running) this.#child!.kill(signal);
  }

  /** Returns when it has ended; one that takes its time is killed after 5 s. */
  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!this.running) return;
    const ended = once(this.#child!, 'exit');
    this.kill(signal);
    if (await Promise.race([ended, sleep(5_000, undefined, { ref: false })])) return;
    this.kill();
    await ended;
  }

  readLog(): string {
    return existsSync(this.logFile) ? readFileSync(this.logFile, 'utf8') : '';
  }
}
