import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ComparisonDocument } from '../../src/lab/comparison-document.ts';
import type { AbandonedRun } from '../abandoned/runs.ts';
import { abandonedByPolicy, abandonedByWorkload } from '../abandoned/tables.ts';

/** One comparison that a page shows: what is run, where its figures are kept, and where they are shown. */
export interface Part {
  readonly name: 'library' | 'triple' | 'adaptive';
  /** After `decant compare`. */
  readonly args: readonly string[];
  readonly days: number;
  /** In which it is computed: small enough that little is lost when a run is ended, and no core is left alone for long. */
  readonly shares: number;
  readonly page: string;
}

const file = (name: string) => join('bench', 'policies', name);

/** Small searches: a pass is followed by another, so that little is lost. */
const WORK = ['--work-budget', '2000'];

export const POLICIES = page('designs/policies.md');

export const PARTS: readonly Part[] = [
  {
    name: 'library',
    args: [
      ...['-w', 'all', '--seeds', '3', ...WORK],
      ...['--policies', 'none', 'stock', file('WhenEmpty.yaml'), 'rfc', 'calm'],
    ],
    days: 1,
    shares: 38,
    page: POLICIES,
  },
  {
    name: 'triple',
    args: [
      ...['-w', 'policy-triple', '--seeds', '3', '--policies'],
      ...['WhenEmpty', 'Balanced', 'WhenEmptyOrUnderutilized'].map((name) => file(`${name}.yaml`)),
    ],
    days: 1,
    shares: 4,
    page: POLICIES,
  },
  {
    name: 'adaptive',
    args: [
      ...['-w', 'all', '--seeds', '3', ...WORK],
      ...['--policies', file('adaptive.yaml'), '--base', 'calm', '--threshold', '0,1,2,5'],
    ],
    days: 1,
    shares: 57,
    page: page('docs/tune.md'),
  },
];

/** Where commands that are abandoned are shown. */
export const ABANDONED_PAGES = [
  { page: page('docs/policies.md'), text: abandonedByPolicy },
  { page: POLICIES, text: abandonedByWorkload },
];

/** `days`: others than its own. */
export function argsOf({ args, days: own }: Part, days = String(own)): readonly string[] {
  return [...args, '--days', days];
}

export function resultsFile(name: Part['name'] | 'abandoned'): string {
  return join(import.meta.dirname, 'results', `${name}.json`);
}

/** Of the last run. */
export function resultsOf(name: Part['name']): ComparisonDocument {
  return JSON.parse(readFileSync(resultsFile(name), 'utf8'));
}

/** Of the last run. */
export function abandonedRuns(): readonly AbandonedRun[] {
  return JSON.parse(readFileSync(resultsFile('abandoned'), 'utf8'));
}

function page(name: string): string {
  return join(import.meta.dirname, '../..', name);
}
