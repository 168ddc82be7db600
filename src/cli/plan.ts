import { performance } from 'node:perf_hooks';
import { styleText } from 'node:util';
import { loadCatalog } from '../catalog/load.ts';
import type { ClusterObjects } from '../engine/cluster/objects.ts';
import { plan } from '../engine/plan.ts';
import type { Plan } from '../engine/plan-document.ts';
import { parseTimestamp } from '../kube/decode/timestamp.ts';
import { loadCluster } from '../kube/read/load.ts';
import { EXIT } from './exit.ts';
import { rulesFor } from './rules.ts';
import { UsageError } from './usage-error.ts';

export interface PlanOptions {
  readonly file?: readonly string[];
  readonly catalog?: string;
  readonly overlay?: string;
  readonly unavailable?: string;
  readonly compat?: 'karpenter';
  readonly search: 'karpenter' | 'merged';
  /** RFC 3339. */
  readonly now?: string;
  readonly spotToSpot?: true;
  readonly output: 'text' | 'wide' | 'json' | 'yaml';
  readonly exitCode?: true;
  /** Switches given, by flag without its dashes. */
  readonly flags: ReadonlyMap<string, string>;
}

export async function planCommand(options: PlanOptions): Promise<number> {
  const startedMs = performance.now();
  if (options.search === 'merged') {
    throw new UsageError('--search merged is not there yet; this release has --search karpenter');
  }
  const files = filesOf(options);
  const notices: string[] = [];
  const cluster = await load(files, options, notices);
  const loadMs = performance.now() - startedMs;
  const rules = await rulesFor(cluster.nodePools, { compat: options.compat, flags: options.flags, env: process.env });
  const result = plan(cluster, { search: 'karpenter', rules, loadMs }, () => performance.now());
  const text = await format(result, options.output);
  // Only now: where input is refused, the refusal is all there is to read.
  tell(notices);
  process.stdout.write(text);
  return options.exitCode && result.moves.length === 0 ? EXIT.no : EXIT.ok;
}

function filesOf({ file = [] }: PlanOptions): readonly string[] {
  if (file.length > 0) return file;
  throw new UsageError('no input: give files, folders or - with -f; reading a live cluster is not there yet');
}

function timeOf(now: string): number {
  const ms = parseTimestamp(now);
  if (ms === undefined) throw new UsageError(`--now ${now}: must be an RFC 3339 time such as 2026-08-20T12:00:00Z`);
  return ms;
}

async function load(files: readonly string[], options: PlanOptions, notices: string[]): Promise<ClusterObjects> {
  const nowMs = options.now === undefined ? undefined : timeOf(options.now);
  const { objects, instanceTypes, warnings, ignoredKinds } = await loadCluster(files, { nowMs });
  notices.push(...warnings);
  if (ignoredKinds.size > 0) {
    notices.push(`ignored ${[...ignoredKinds].map(([kind, n]) => `${n} × ${kind}`).join(', ')}`);
  }
  const catalog = await loadCatalog({
    name: options.catalog,
    entries: instanceTypes,
    overlay: options.overlay,
    unavailable: options.unavailable,
    warn: (message) => notices.push(message),
  });
  const spotToSpot = options.spotToSpot ?? objects.options.spotToSpot;
  return { ...objects, options: { ...objects.options, spotToSpot }, instanceTypes: catalog };
}

async function format(result: Plan, output: PlanOptions['output']): Promise<string> {
  if (output === 'json') return `${JSON.stringify(result, null, 2)}\n`;
  if (output === 'yaml') {
    const { dump } = await import('js-yaml');
    // By way of JSON, so that the two are one document: JSON has no infinity, YAML has.
    return dump(JSON.parse(JSON.stringify(result)), { noRefs: true, lineWidth: -1 });
  }
  const { renderPlan } = await import('./render-plan.ts');
  return renderPlan(result, {
    // Narrower than 80 no table can be read; wider than 100 the eye loses the row.
    width: Math.min(Math.max(process.stdout.columns ?? 100, 80), 100),
    wide: output === 'wide',
    // Knows about terminals, NO_COLOR and FORCE_COLOR.
    paint: (style, text) => styleText(style, text, { stream: process.stdout }),
  });
}

/** One by one up to here; a dump of half a cluster has thousands of them. */
const MAX_NOTICES = 10;

function tell(notices: readonly string[]): void {
  for (const notice of notices.slice(0, MAX_NOTICES)) process.stderr.write(`decant: warning: ${notice}\n`);
  const more = notices.length - MAX_NOTICES;
  if (more > 0) process.stderr.write(`decant: and ${more} more warnings\n`);
}
