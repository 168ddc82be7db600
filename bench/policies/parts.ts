import { join } from 'node:path';

/** One comparison that docs/policies.md shows: what is run, and where its figures are kept. */
export interface Part {
  readonly name: 'library' | 'triple' | 'adaptive';
  /** After `decant compare`. */
  readonly args: readonly string[];
}

const file = (name: string) => join('bench', 'policies', name);

/** Small searches: a pass is followed by another, so that little is lost. */
const WORK = ['--work-budget', '2000'];

/** Workloads on which a grid is run within minutes. */
const QUICK = ['policy-triple', 'right-size', 'scale-in-default', 'mass-scale-in'];

export const PARTS: readonly Part[] = [
  {
    name: 'library',
    args: ['-w', 'all', '--policies', 'none', 'stock', 'documents', 'calm', '--seeds', '1', '--days', '1', ...WORK],
  },
  {
    name: 'triple',
    args: [
      ...['-w', 'policy-triple', '--seeds', '3', '--days', '1', '--policies'],
      ...['WhenEmpty', 'Balanced', 'WhenEmptyOrUnderutilized'].map((name) => file(`${name}.yaml`)),
    ],
  },
  {
    name: 'adaptive',
    args: [
      ...['-w', ...QUICK, '--seeds', '1', '--days', '1', ...WORK],
      ...['--policies', file('adaptive.yaml'), '--base', 'calm', '--threshold', '0,1,2,5'],
    ],
  },
];

export function resultsFile(name: Part['name']): string {
  return join(import.meta.dirname, 'results', `${name}.json`);
}

export const PAGE = join(import.meta.dirname, '../../docs/policies.md');
