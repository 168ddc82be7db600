import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run } from './fresh-process.ts';
import { CACHE_FOLDER } from './generate/cached-input.ts';

/** What Karpenter's own code takes for the same question, and where the figure is from. */
export interface StockTime {
  readonly ms: number;
  readonly source: string;
}

interface OracleTiming {
  readonly simulateSchedulingMs: { readonly n: number; readonly mean: number };
  readonly methodMs: Readonly<Record<string, number>>;
}

interface OracleBench {
  readonly timing: OracleTiming;
  readonly methods: Readonly<
    Record<string, { readonly candidates: number; readonly command: { readonly decision: string } }>
  >;
}

/** Nodes simulated to know what one takes. */
const SAMPLE = 40;

/**
 * Karpenter's code, asked by the oracle program. A whole pass takes minutes, so without `full` it is a
 * sample of the nodes times the number of nodes that the pass examines.
 */
export class Oracle {
  readonly #binary: string;
  readonly #full: boolean;
  readonly #known = new Map<string, Promise<StockTime>>();

  private constructor(binary: string, full: boolean) {
    this.#binary = binary;
    this.#full = full;
  }

  /** From the program, or from the folder of its sources, which is then built. */
  static async at(path: string, full: boolean): Promise<Oracle> {
    if (!existsSync(path)) throw new Error(`--oracle ${path}: no such file or folder`);
    if (!statSync(path).isDirectory()) return new Oracle(resolve(path), full);
    mkdirSync(CACHE_FOLDER, { recursive: true });
    const binary = join(CACHE_FOLDER, 'oracle');
    await run('go', ['build', '-o', binary, '.'], path);
    return new Oracle(binary, full);
  }

  everyNode(file: string, examined: number): Promise<StockTime> {
    return this.#remember(`every-node ${file}`, () =>
      this.#full ? this.#wholePass(file) : this.#sampled(file, examined),
    );
  }

  multiNode(file: string): Promise<StockTime> {
    return this.#remember(`multi-node ${file}`, async () => {
      const { timing } = await this.#bench(file, ['-skip', 'empty,single', '-sample', '1']);
      return { ms: timing.methodMs.multi, source: 'measured: multi-node pass' };
    });
  }

  async #sampled(file: string, examined: number): Promise<StockTime> {
    const { timing } = await this.#bench(file, ['-skip', 'empty,multi,single', '-sample', String(SAMPLE)]);
    const { n, mean } = timing.simulateSchedulingMs;
    return { ms: mean * examined, source: `measured: ${n} simulations of ${mean.toFixed(1)} ms × ${examined} nodes` };
  }

  async #wholePass(file: string): Promise<StockTime> {
    const { timing, methods } = await this.#bench(file, ['-skip', 'empty,multi', '-sample', '1']);
    // The pass ends at the first node that can go; then it is no measure of all nodes.
    const { decision } = methods.single.command;
    const whole = decision === 'no-op' ? 'whole single-node pass' : `single-node pass, ended early by a ${decision}`;
    return { ms: timing.methodMs.single, source: `measured: ${whole}` };
  }

  async #bench(file: string, flags: readonly string[]): Promise<OracleBench> {
    const answer = join(CACHE_FOLDER, `oracle-${process.pid}.json`);
    try {
      await run(this.#binary, ['bench', ...flags, '-o', answer, file], CACHE_FOLDER);
      return JSON.parse(readFileSync(answer, 'utf8'));
    } finally {
      rmSync(answer, { force: true });
    }
  }

  #remember(question: string, ask: () => Promise<StockTime>): Promise<StockTime> {
    const known = this.#known.get(question) ?? ask();
    this.#known.set(question, known);
    return known;
  }
}
