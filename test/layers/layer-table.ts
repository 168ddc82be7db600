import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const START = '<!-- layers: made by npm run -s generate from the tsconfig.json files -->';
const END = '<!-- /layers -->';

/** The page with the last column of its table of layers as the tsconfig.json files have it. Descriptions stay. */
export function withLayerTable(page: string, root: string): string {
  const [before, rest] = split(page, START);
  const [table, after] = split(rest, END);
  const known = new Map(
    [...table.matchAll(/^\| `([^`]+)` \| (.*?) \|[^|\n]*\|$/gm)].map(([, layer, what]) => [layer, what]),
  );
  const order = [...known.keys()];
  const layers = layersOf(root).sort((a, b) => rank(a.path) - rank(b.path));
  const rows = layers.map(({ path, references }) => {
    return `| \`${path}\` | ${known.get(path) ?? ''} | ${references.map(shortName).join(', ') || 'nothing'} |`;
  });
  return `${before}${START}\n| layer | what it decides or knows | may import |\n|---|---|---|\n${rows.join('\n')}\n${END}${after}`;

  function rank(layer: string): number {
    const place = order.indexOf(layer);
    return place < 0 ? order.length : place;
  }
}

interface Layer {
  /** From the root of the repository. */
  readonly path: string;
  readonly references: readonly string[];
}

/** Every folder with a tsconfig.json. Files may import from their own layer and from those that it references. */
export function layersOf(root: string): Layer[] {
  return foldersWithConfig(root, '').map((path) => {
    // Comments on lines of their own are all that these files have beyond JSON.
    const text = readFileSync(join(root, path, 'tsconfig.json'), 'utf8').replace(/^\s*\/\/.*$/gm, '');
    const { references = [] } = JSON.parse(text) as { references?: { path: string }[] };
    return { path, references: references.map((each) => relative(root, join(root, path, each.path))) };
  });
}

function foldersWithConfig(root: string, folder: string): string[] {
  const below = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(\.|node_modules$|dist$)/.test(entry.name))
    .flatMap(({ name }) => foldersWithConfig(root, join(folder, name)));
  return folder !== '' && existsSync(join(root, folder, 'tsconfig.json')) ? [folder, ...below] : below;
}

function shortName(layer: string): string {
  return layer.replace(/^src\//, '');
}

function split(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`the page has no ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}
