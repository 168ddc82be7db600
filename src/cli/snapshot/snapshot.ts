import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Written } from '../../kube/encode/metadata.ts';
import { type SnapshotDocument, writeSnapshot } from '../../kube/encode/snapshot.ts';
import { readInput, tell } from '../input/load-input.ts';
import { EXIT } from '../output/exit.ts';
import type { SnapshotOptions } from './flags.ts';
import { withKnownFields } from './known-fields.ts';

export async function snapshotCommand(options: SnapshotOptions): Promise<number> {
  const { cluster, notices, notes } = await readInput(options);
  const { pools, leftOut } = withKnownFields(cluster.nodePools);
  const snapshot = writeSnapshot({ ...cluster, nodePools: pools });
  tell([...notices, ...leftOut], notes);
  const lines = options.output === 'json' ? jsonLines(snapshot) : await yamlLines(snapshot);
  await pipeline(Readable.from(inPieces(lines)), process.stdout, { end: false });
  return EXIT.ok;
}

/** One line per object, for readable diffs. */
export function* jsonLines({
  now,
  options,
  undecodable,
  prices,
  instanceTypes,
  objects,
}: SnapshotDocument): Generator<string> {
  yield `{"now":${JSON.stringify(now)},\n`;
  if (options !== undefined) yield `"options":${JSON.stringify(options)},\n`;
  if (undecodable !== undefined) yield `"undecodable":${JSON.stringify(undecodable)},\n`;
  if (prices !== undefined) yield `"prices":${JSON.stringify(prices)},\n`;
  yield '"instanceTypes":[';
  yield* jsonElements(instanceTypes);
  yield '],\n"objects":[';
  yield* jsonElements(objects);
  yield ']}\n';
}

function* jsonElements(elements: Iterable<Written>): Generator<string> {
  let before = '\n';
  for (const element of elements) {
    yield before + JSON.stringify(element);
    before = ',\n';
  }
  if (before !== '\n') yield '\n';
}

async function yamlLines(snapshot: SnapshotDocument): Promise<Iterable<string>> {
  const { dump } = await import('js-yaml');
  // Through JSON, which drops undefined.
  const yaml = (value: unknown) => dump(JSON.parse(JSON.stringify(value)), { noRefs: true, lineWidth: -1 });
  return lines(snapshot);

  function* lines({ objects, instanceTypes, ...header }: SnapshotDocument): Generator<string> {
    yield yaml(header);
    yield* elements('instanceTypes', instanceTypes);
    yield* elements('objects', objects);
  }

  function* elements(name: string, list: Iterable<Written>): Generator<string> {
    let before = `${name}:\n`;
    for (const element of list) {
      yield before + yaml([element]);
      before = '';
    }
    if (before !== '') yield `${name}: []\n`;
  }
}

const PIECE = 1 << 16;

/** One write per object would dominate the time. */
function* inPieces(lines: Iterable<string>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
