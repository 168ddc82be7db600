import { existsSync } from 'node:fs';
import { COMPAT_SYSTEMS, type Compat } from '../../config/compat.ts';
import { API_VERSION, type Plan, type PlannedNode } from '../../engine/plan-document.ts';
import { type LoadedCluster, loadCluster } from '../../kube/read/load.ts';
import { UsageError } from '../flags/usage-error.ts';
import { type Input, loadInput, type Reading, readObjects, tell } from '../input/load-input.ts';
import { documentText } from '../output/document-text.ts';
import { EXIT } from '../output/exit.ts';
import { print } from '../output/terminal-text.ts';
import { makePlan } from '../plan/make-plan.ts';
import { notCompared, withObjectsOf } from './changed-objects.ts';
import type { DiffOptions } from './flags.ts';
import { renderDiff } from './render.ts';

export interface PlanDiff {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'PlanDiff';
  readonly before: DiffTotals;
  readonly after: DiffTotals;
  readonly plannedCentsPerHourDifference: number;
  /** Nodes that are removed or replaced on one side only. */
  readonly nodes: readonly ChangedNode[];
}

export interface DiffTotals {
  /** The cluster as it is, a file, or a version of Karpenter. */
  readonly title: string;
  readonly centsPerHour: number;
  readonly plannedCentsPerHour: number;
  readonly savingsCentsPerHour: number;
  readonly evictions: number;
  readonly moves: number;
}

export interface ChangedNode {
  readonly name: string;
  readonly nodePool: string;
  readonly centsPerHour: number | null;
  readonly before: 'delete' | 'replace' | 'stay';
  readonly after: 'delete' | 'replace' | 'stay';
  /** Why it stays on the side where it does. */
  readonly why: string;
}

interface Side {
  readonly title: string;
  readonly compat?: Compat;
  readonly change: Pick<LoadedCluster, 'objects' | 'policies'> | undefined;
}

export async function diffCommand(a: string, b: string | undefined, options: DiffOptions): Promise<number> {
  const sides = b === undefined ? ([AS_IS, await sideOf(a)] as const) : ([await sideOf(a), await sideOf(b)] as const);
  const [before, after] = sides;
  const base = await readObjects(options);
  const made = [await planOf(base, before, after, options), await planOf(base, after, before, options)] as const;
  const document = diffOf(sides, [made[0].plan, made[1].plan]);
  tell([...new Set(made.flatMap((m) => m.notices))], [...new Set(made.flatMap((m) => m.notes))]);
  for (const { title, change } of sides) {
    const ignored = change === undefined ? '' : notCompared(change);
    if (ignored !== '') tell([], [`${title}: ${ignored} not compared: plans depend on running pods and nodes`]);
  }
  const { output, maxIncrease } = options;
  print(output === 'json' || output === 'yaml' ? await documentText(document, output) : renderDiff(document, output));
  if (maxIncrease === undefined) return EXIT.ok;
  const most = document.before.plannedCentsPerHour * (1 + maxIncrease);
  return document.after.plannedCentsPerHour > most + NOISE_CENTS ? EXIT.no : EXIT.ok;
}

/** Sums of prices differ by less without a reason. */
const NOISE_CENTS = 1e-6;

const AS_IS: Side = { title: 'current', change: undefined };

async function sideOf(argument: string): Promise<Side> {
  const compat = COMPAT_SYSTEMS.find((system) => system === argument);
  if (compat !== undefined) return { title: compat, compat, change: undefined };
  if (/^karpenter(@|$)/.test(argument) && !existsSync(argument))
    throw new UsageError(`${argument}: allowed: ${COMPAT_SYSTEMS.join(', ')}, or files`);
  return { title: argument, change: await loadCluster([argument]) };
}

async function planOf(
  base: Reading,
  own: Side,
  other: Side,
  options: DiffOptions,
): Promise<Pick<Input, 'notices' | 'notes'> & { plan: Plan }> {
  const input = await loadInput(options, { ...base, ...withObjectsOf(base, own.change, other.change) });
  const compat = own.compat ?? options.compat;
  const { plan } = await makePlan(input.cluster, { ...options, ...(compat === undefined ? {} : { compat }) }, 0);
  return { plan, notices: input.notices, notes: input.notes };
}

function diffOf([a, b]: readonly [Side, Side], [before, after]: readonly [Plan, Plan]): PlanDiff {
  const [fateBefore, fateAfter] = [fatesIn(before), fatesIn(after)];
  const nodesAfter = new Map(after.nodes.map((node) => [node.name, node]));
  const nodes = before.nodes.flatMap((node): ChangedNode[] => {
    const { name, nodePool, centsPerHour } = node;
    const was = fateBefore.get(name) ?? 'stay';
    const is = fateAfter.get(name) ?? 'stay';
    if (was === is) return [];
    const why = was === 'stay' ? reasonOf(node) : is === 'stay' ? reasonOf(nodesAfter.get(name)) : '';
    return [{ name, nodePool, centsPerHour, before: was, after: is, why }];
  });
  return {
    apiVersion: API_VERSION,
    kind: 'PlanDiff',
    before: totalsOf(a.title, before),
    after: totalsOf(b.title, after),
    plannedCentsPerHourDifference: after.totals.plannedCentsPerHour - before.totals.plannedCentsPerHour,
    nodes,
  };
}

function totalsOf(title: string, { totals, moves }: Plan): DiffTotals {
  const { centsPerHour, plannedCentsPerHour, savingsCentsPerHour, evictions } = totals;
  return { title, centsPerHour, plannedCentsPerHour, savingsCentsPerHour, evictions, moves: moves.length };
}

function fatesIn({ moves }: Plan): ReadonlyMap<string, 'delete' | 'replace'> {
  return new Map(moves.flatMap(({ kind, nodes }) => nodes.map((name) => [name, kind])));
}

function reasonOf(node: PlannedNode | undefined): string {
  return node?.refusals[0]?.message ?? 'no better move removes it';
}
