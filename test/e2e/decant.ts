import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAIN = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

/** The parts of a plan that the scenarios read; docs/plan.schema.json has all of it. */
export interface Plan {
  readonly totals: { readonly nodes: number; readonly pods: number; readonly centsPerHour: number };
  readonly prices?: { readonly source: string };
  readonly karpenter?: { readonly version?: string; readonly deployment?: string; readonly closest: string };
  readonly moves: readonly Move[];
  readonly nodes: readonly {
    readonly name: string;
    readonly nodePool: string;
    readonly instanceType: string;
    readonly centsPerHour: number;
    readonly candidate: boolean;
    readonly refusals: readonly { readonly code: string; readonly message: string }[];
  }[];
}

export interface Move {
  readonly kind: 'delete' | 'replace';
  readonly method: string;
  readonly nodes: readonly string[];
  readonly replacements: readonly { readonly instanceTypes: readonly string[] }[];
}

/** Of a file, or of the cluster that the flags name. `warnings` is all that it wrote to stderr. */
export async function decantPlan(
  file: string | undefined,
  ...flags: readonly string[]
): Promise<{ plan: Plan; warnings: string }> {
  const input = file === undefined ? [] : ['-f', file];
  const { stdout, stderr } = await run(process.execPath, [MAIN, 'plan', ...input, '-o', 'json', ...flags], {
    maxBuffer: 1 << 28,
  });
  return { plan: JSON.parse(stdout) as Plan, warnings: stderr };
}
