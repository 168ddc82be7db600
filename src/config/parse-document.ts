import { InputError } from './input-error.ts';

const JSON_START = /^\s*(\[\s*)?(\{\s*["}]|\])/;
const BRACKET = /^\s*[{[]/;
/** A file with more aliases is built to exhaust memory. */
const MOST_ALIASES = 1000;

/**
 * Whether a text that starts like this is JSON. The content decides, whatever the file is called; only flow-style YAML,
 * which starts like JSON, needs a name that ends in .yaml or .yml.
 */
export function isJson(start: string, name: string): boolean {
  return JSON_START.test(start) || (BRACKET.test(start) && !/\.ya?ml(\.gz)?$/i.test(name));
}

/** The single document of a JSON or YAML text. `source` names it in messages. Throws InputError. */
export async function parseDocument(text: string, source: string): Promise<unknown> {
  const content = text.replace(/^\uFEFF/, '');
  if (content.trim() === '') throw new InputError(`${source}: the file is empty`);
  if (!isJson(content, source)) {
    const documents = await parseYaml(content, source);
    if (documents.length > 1) throw new InputError(`${source}: ${documents.length} YAML documents: allowed: one`);
    return documents[0];
  }
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new InputError(`${source}: not JSON: ${(error as Error).message}`);
  }
}

/** All documents of a YAML text. The parser is loaded on first use: most input is JSON. */
export async function parseYaml(text: string, source: string): Promise<unknown[]> {
  const { CORE_SCHEMA, loadAll, mergeTag, YAMLException } = await import('js-yaml');
  try {
    return loadAll(text, { schema: CORE_SCHEMA.withTags(mergeTag), maxAliases: MOST_ALIASES });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { mark, reason } = error;
    const at = mark === undefined ? '' : `line ${mark.line + 1}, column ${mark.column + 1}: `;
    throw new InputError(`${source}: ${at}not YAML: ${reason}`);
  }
}
