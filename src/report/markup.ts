/** Markup, as opposed to text, which must be escaped first. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

type Part = string | number | Markup | readonly Markup[];

/** Markup from a template. Parts are escaped unless they are markup: names come from a cluster. */
export function markup(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let source = literals[0];
  parts.forEach((part, i) => {
    source += sourceOf(part) + literals[i + 1];
  });
  return new Markup(source);
}

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

/** For text between tags and for quoted attributes. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]);
}
