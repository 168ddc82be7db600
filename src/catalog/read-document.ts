import { readFile } from 'node:fs/promises';
import { parseDocument } from '../config/parse-document.ts';
import { CatalogError } from './catalog-error.ts';

/** The one document of a JSON or YAML file. */
export async function readDocument(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    // Without the code, the call and a second copy of the path.
    const reason = (error as Error).message.replace(/^[A-Z]+: |, \w+( '.*')?$/g, '');
    throw new CatalogError(`${file}: cannot be read: ${reason}`);
  }
  return parseDocument(text, file);
}
