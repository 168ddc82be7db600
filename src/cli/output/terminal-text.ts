import { styleText } from 'node:util';

/** What a terminal takes as an order; names of objects in a file may have any of it. */
const ORDER = /[\p{Cc}\p{Bidi_Control}]/gu;
const ORDER_IN_PAGE = /(?![\n\t])\p{Cc}/gu;
const COLOUR = /^\[[0-9;]{0,11}m/;

/** Of somebody else's text: on one line, with every order spelled out. */
export function oneLine(text: string): string {
  return text.replace(ORDER, spelled);
}

/** Of text with lines of its own. */
export function page(text: string): string {
  return text.replace(ORDER_IN_PAGE, spelled);
}

/** A document, to standard output. In JSON what is spelled out means the same. */
export function print(text: string): void {
  process.stdout.write(hasColours() ? text.replace(ORDER_IN_PAGE, spelledUnlessColour) : page(text));
}

/** As asked for by -o. A page is for a browser, and allows its script by the hash of every character: it stays as it is. */
export function printAs(output: string, text: string): void {
  if (output === 'html') process.stdout.write(text);
  else print(text);
}

/** One line to standard error. */
export function complain(message: string): void {
  process.stderr.write(`decant: ${oneLine(message)}\n`);
}

/** Knows about terminals, NO_COLOR and FORCE_COLOR. */
export function paint(style: Parameters<typeof styleText>[0], text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

function hasColours(): boolean {
  return paint('bold', '-') !== '-';
}

function spelledUnlessColour(order: string, at: number, text: string): string {
  return order === '\u001b' && COLOUR.test(text.slice(at + 1, at + 14)) ? order : spelled(order);
}

function spelled(order: string): string {
  return `\\u${order.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
