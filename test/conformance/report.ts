import { type Difference, isAgreement } from './difference.ts';

/** A difference and the case that shows it. */
export interface Found extends Difference {
  readonly file: string;
}

export interface Crash {
  readonly file: string;
  readonly error: string;
}

export function groupBy<T>(list: readonly T[], key: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return [...groups].sort((a, b) => b[1].length - a[1].length);
}

/** By field, most frequent first, with the first few of each. */
export function describeFound(found: readonly Found[], show: number): string[] {
  const lines: string[] = [];
  for (const [title, list] of groupBy(found, titleOf)) {
    lines.push('', `${title}: ${list.length} in ${new Set(list.map((d) => d.file)).size} cases`);
    for (const d of list.slice(0, show)) {
      lines.push(
        `  ${d.file} · ${d.where}${d.tie ? ' · tie' : ''}`,
        `    theirs ${brief(d.theirs)}`,
        `    ours   ${brief(d.ours)}`,
      );
    }
  }
  return lines;
}

function titleOf(d: Difference): string {
  const [kind, which] = d.where.split(' ');
  if (kind === 'method') return `${d.where} ${d.field}`;
  return which === undefined ? d.field : `${kind} ${kind === 'totals' ? d.field : which}`;
}

export function describeCrashes(crashed: readonly Crash[], show: number): string[] {
  if (crashed.length === 0) return [];
  const lines = ['', `crashed: ${crashed.length} cases`];
  for (const [message, list] of groupBy(crashed, (c) => c.error.split('\n')[0] ?? '')) {
    lines.push(`  ${list.length} × ${message}`, ...(list[0]?.error.split('\n').slice(1, 5) ?? []));
    lines.push(
      `    ${list
        .slice(0, show)
        .map((c) => c.file)
        .join(' ')}`,
    );
  }
  return lines;
}

export function unseenTies(found: readonly Found[]): number {
  return found.filter(isAgreement).length;
}

function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
