import { wrap } from './table.ts';

/** Text under a mark, its further lines aligned with the first: "✗ utilization  81 % …". */
export function hanging(mark: string, text: string, width: number, maxLines = 4): string[] {
  const [first, ...more] = wrap(text, Math.max(30, width - mark.length), maxLines);
  return [mark + first, ...more.map((line) => ' '.repeat(mark.length) + line)];
}
