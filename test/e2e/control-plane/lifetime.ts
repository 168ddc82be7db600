import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Component } from './component.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A folder and processes that go when they are no longer wanted, or when this process goes, whichever comes first. */
export class Lifetime {
  readonly folder = mkdtempSync(join(tmpdir(), 'decant-control-plane-'));
  readonly #components: Component[] = [];
  readonly #onExit = () => this.#cleanUp();
  readonly #onSignal = (signal: NodeJS.Signals) => {
    this.#cleanUp();
    process.kill(process.pid, signal);
  };

  constructor() {
    process.on('exit', this.#onExit);
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  /** Ends with it. */
  adopt(component: Component): void {
    this.#components.push(component);
  }

  async end(): Promise<void> {
    await Promise.all(this.#components.map((component) => component.stop()));
    this.#cleanUp();
  }

  /** Without waiting, because a process that exits cannot. */
  #cleanUp(): void {
    process.off('exit', this.#onExit);
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
    for (const component of this.#components) component.kill();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
