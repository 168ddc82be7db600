import { styleText } from 'node:util';

/** What controls the terminal or cannot be seen on it; names of objects in a file and owner references may contain it. */
const ORDER = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const ORDER_IN_PAGE = new RegExp(`(?![\\n\\t])${ORDER.source}`, 'gu');
const COLOUR = /^\[[0-9;]{0,11}m/;

/** External text on one line, with control characters escaped. */
export function oneLine(text: string): string {
  return text.replace(ORDER, spelled);
}

/** Text with its own line breaks. */
export function page(text: string): string {
  return text.replace(ORDER_IN_PAGE, spelled);
}

/** Prints a document to standard output. In JSON, escapes keep the meaning. */
export function print(text: string): void {
  process.stdout.write(hasColours() ? text.replace(ORDER_IN_PAGE, spelledUnlessColour) : page(text));
}

/** As selected by -o. An HTML page is printed unchanged, because its policy contains a hash of its script. */
export function printAs(output: string, text: string): void {
  if (output === 'html') process.stdout.write(text);
  else print(text);
}

/** One line to standard error. */
export function complain(message: string): void {
  process.stderr.write(`decant: ${oneLine(message)}\n`);
}

/** Of the terminal, within 80 and `most` columns; 100 in a pipe. */
export function outputWidth(most: number): number {
  return Math.min(Math.max(process.stdout.columns ?? 100, 80), most);
}

/** Knows about terminals, NO_COLOR and FORCE_COLOR. */
export function styled(style: Parameters<typeof styleText>[0], text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

function hasColours(): boolean {
  return styled('bold', '-') !== '-';
}

function spelledUnlessColour(order: string, at: number, text: string): string {
  return order === '\u001b' && COLOUR.test(text.slice(at + 1, at + 14)) ? order : spelled(order);
}

/** As in JSON. */
function spelled(order: string): string {
  return order.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
