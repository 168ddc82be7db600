import { InputError } from '../../config/input-error.ts';
import { FieldProblem } from '../field-problem.ts';
import type { DocumentReader } from './document-reader.ts';
import { yamlProblem } from './yaml-problem.ts';

/** Manifests use few; a file that uses many means to blow up. */
const MOST_ALIASES = 1000;

/**
 * All documents of a YAML text. The parser is loaded when the first YAML file is met: most input is JSON.
 * Returns how many documents were not empty.
 */
export async function readYamlDocuments(text: string, file: string, documents: DocumentReader): Promise<number> {
  const { CORE_SCHEMA, loadAll, mergeTag, YAMLException } = await import('js-yaml');
  let values: unknown[];
  try {
    values = loadAll(text, { schema: CORE_SCHEMA.withTags(mergeTag), maxAliases: MOST_ALIASES });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new InputError(`${file}: ${yamlProblem(error)}`);
  }
  let read = 0;
  values.forEach((value, i) => {
    if (value === undefined || value === null) return;
    const place = `document ${i + 1}`;
    documents.guard(place, undefined, () => refuseCircles(value, '', new Set(), new Set()));
    documents.document(value, place);
    read++;
  });
  return read;
}

/** An alias to something that contains it would never end. */
function refuseCircles(value: unknown, path: string, done: Set<unknown>, open: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || done.has(value)) return;
  if (open.has(value)) throw new FieldProblem(path, value, 'no alias to a value that contains it');
  open.add(value);
  for (const [key, member] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    refuseCircles(member, at, done, open);
  }
  open.delete(value);
  done.add(value);
}
