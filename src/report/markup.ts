/** Markup, as opposed to text that must be escaped before it may become part of any. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

type Part = string | number | Markup | readonly Markup[];

/** Markup from a template. What is put in is text, escaped, unless it is markup itself: names come from a cluster. */
export function markup(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let source = literals[0];
  parts.forEach((part, i) => {
    source += sourceOf(part) + literals[i + 1];
  });
  return new Markup(source);
}

export const NOTHING = new Markup('');

function sourceOf(part: Part): string {
  if (part instanceof Markup) return part.source;
  if (typeof part === 'object') return part.map(({ source }) => source).join('');
  return typeof part === 'number' ? String(part) : escaped(part);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text between tags and for attributes in quotes alike. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]);
}
