import { join } from 'node:path';
import { decant } from '../build/decant.ts';

export const PICTURE = join(import.meta.dirname, '..', '..', 'docs', 'first-minute.svg');

const COLUMNS = 100;
const [CELL, LINE, MARGIN] = [8.4, 18, 20];
/** Lines that a reader should see first. */
const EMPHASIS = /: (saved|spent) \$|^cost /;

/** What `npm start` prints in a pipe, as a terminal would show it. */
export async function firstMinute(): Promise<string> {
  const { stdout } = await decant(['demo']);
  const lines = ['$ npm start', '', ...stdout.trimEnd().split('\n')];
  const [width, height] = [Math.round(COLUMNS * CELL + 2 * MARGIN), lines.length * LINE + 2 * MARGIN];
  const texts = lines.map((line, i) => {
    const emphasis = EMPHASIS.test(line) ? ' class="saved"' : '';
    return `<text x="${MARGIN}" y="${MARGIN + (i + 0.75) * LINE}"${emphasis}>${escaped(line)}</text>`;
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    '<title>npm start: Decant and stock Karpenter on the same workload</title>',
    '<style>text{font:14px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d7dde8;white-space:pre}.saved{fill:#5ad19a;font-weight:bold}</style>',
    `<rect width="${width}" height="${height}" rx="8" fill="#161b26"/>`,
    ...texts.filter((text) => !text.endsWith('></text>')),
    '</svg>',
  ].join('\n')}\n`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
