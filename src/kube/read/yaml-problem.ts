import type { YAMLException } from 'js-yaml';

/** What is wrong with a YAML text and where, on one line; the parser's own message draws a picture of several. */
export function yamlProblem({ mark, reason }: YAMLException): string {
  const at = mark === undefined ? '' : `line ${mark.line + 1}, column ${mark.column + 1}: `;
  return `${at}not YAML: ${reason}`;
}
