import { readFile } from 'node:fs/promises';
import { CatalogError } from './catalog-error.ts';

/** The one document of a JSON or YAML file. */
export async function readDocument(file: string): Promise<unknown> {
  const text = await readSource(file);
  if (text.trim() === '') throw new CatalogError(`${file}: the file is empty`);
  // Flow-style YAML starts like JSON, so a leading bracket decides only where the name does not say YAML.
  const yaml = /\.ya?ml$/i.test(file) || !/^\s*[[{]/.test(text);
  try {
    return yaml ? await parseYaml(text) : JSON.parse(text);
  } catch (error) {
    throw new CatalogError(`${file}: not valid ${yaml ? 'YAML' : 'JSON'}: ${messageOf(error)}`, { cause: error });
  }
}

async function readSource(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    // Without the code, the call and a second copy of the path.
    const reason = messageOf(error).replace(/^[A-Z]+: |, \w+( '.*')?$/g, '');
    throw new CatalogError(`${file}: cannot be read: ${reason}`, { cause: error });
  }
}

async function parseYaml(text: string): Promise<unknown> {
  // Loaded here because most runs read no YAML and start faster without it.
  const { load, YAMLException } = await import('js-yaml');
  try {
    return load(text);
  } catch (error) {
    // Its message draws a picture of several lines.
    if (!(error instanceof YAMLException) || error.mark === undefined) throw error;
    const { line, column } = error.mark;
    throw new Error(`line ${line + 1}, column ${column + 1}: ${error.reason}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
