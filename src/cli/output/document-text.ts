/** Through JSON, so that both are the same document: JSON has no infinity and drops undefined. */
export async function documentText(document: object, output: 'json' | 'yaml'): Promise<string> {
  if (output === 'json') return `${JSON.stringify(document, null, 2)}\n`;
  const { dump } = await import('js-yaml');
  return dump(JSON.parse(JSON.stringify(document)), { noRefs: true, lineWidth: -1 });
}
