import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ComparisonDocument } from '../../src/lab/comparison-document.ts';
import type { AbandonedRun } from '../abandoned/runs.ts';
import { abandonedByPolicy, abandonedByWorkload } from '../abandoned/tables.ts';
import { workloadsMissed } from './goals.ts';

export type PartName = 'library' | 'hindsight' | 'triple' | 'adaptive';

/** One comparison that a page shows: what is run, where its figures are kept, and where they are shown. */
export interface Part {
  readonly name: PartName;
  /** After `decant compare`. */
  args(): readonly string[];
  readonly days: number;
  /** In which it is computed: small enough that little is lost when a run is ended, and no core is left alone for long. */
  readonly shares: number;
  readonly page: string;
}

const file = (name: string) => join('bench', 'policies', name);

/** Small searches: a pass is followed by another, so that little is lost. */
const WORK = ['--work-budget', '2000'];

const POLICIES = page('designs/policies.md');

export const PARTS: readonly Part[] = [
  {
    name: 'library',
    args: () => [
      ...['-w', 'all', '--seeds', '3', ...WORK],
      ...['--policies', 'none', 'stock', 'balanced', 'rfc', 'calm'],
    ],
    days: 1,
    shares: 66,
    page: POLICIES,
  },
  {
    name: 'hindsight',
    // Dozens of simulations for each.
    args: () => [
      ...['-w', workloadsMissed(resultsOf('library').runs).join(), '--seeds', '1', ...WORK],
      ...['--policies', 'none', 'stock', 'calm', 'hindsight-1.02'],
    ],
    days: 1,
    shares: 12,
    page: POLICIES,
  },
  {
    name: 'triple',
    args: () => [
      ...['-w', 'policy-triple', '--seeds', '3', '--policies'],
      ...['WhenEmpty', 'Balanced', 'WhenEmptyOrUnderutilized'].map((name) => file(`${name}.yaml`)),
    ],
    days: 1,
    shares: 4,
    page: POLICIES,
  },
  {
    name: 'adaptive',
    args: () => [
      ...['-w', 'all', '--seeds', '3', ...WORK],
      ...['--policies', file('adaptive.yaml'), '--base', 'calm', '--threshold', '0,1,2,5'],
    ],
    days: 1,
    shares: 57,
    page: page('docs/tune.md'),
  },
];

/** Where what users may expect is shown. */
export const USERS_PAGE = page('docs/policies.md');

/** Where commands that are abandoned are shown. */
export const ABANDONED_PAGES = [
  { page: USERS_PAGE, text: abandonedByPolicy },
  { page: POLICIES, text: abandonedByWorkload },
];

/** `days`: others than its own. */
export function argsOf({ args, days: own }: Part, days = String(own)): readonly string[] {
  return [...args(), '--days', days];
}

export function resultsFile(name: PartName | 'abandoned'): string {
  return join(import.meta.dirname, 'results', `${name}.json`);
}

/** Of the last run. */
export function resultsOf(name: PartName): ComparisonDocument {
  return JSON.parse(readFileSync(resultsFile(name), 'utf8'));
}

/** Of the last run. */
export function abandonedRuns(): readonly AbandonedRun[] {
  return JSON.parse(readFileSync(resultsFile('abandoned'), 'utf8'));
}

function page(name: string): string {
  return join(import.meta.dirname, '../..', name);
}
