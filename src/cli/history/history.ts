import { COMMAND_RESOURCE } from '../../config/command-object.ts';
import { InputError, inputError } from '../../config/input-error.ts';
import type { Command } from '../../controller/command.ts';
import { FieldProblem } from '../../kube/field-problem.ts';
import { readRawObjects } from '../../kube/read/raw-objects.ts';
import { connect } from '../../live/api-client.ts';
import { commandOf } from '../../live/journal-object.ts';
import { pathOf } from '../../live/resource.ts';
import { type ConnectionOptions, refuseCluster } from '../flags/connection.ts';
import { UsageError } from '../flags/usage-error.ts';
import { liveObjects } from '../input/live-objects.ts';
import { tell } from '../input/load-input.ts';
import { documentText } from '../output/document-text.ts';
import { EXIT } from '../output/exit.ts';
import { outputWidth, print } from '../output/terminal-text.ts';
import { type HistoryDocument, historyDocument } from './document.ts';
import type { HistoryOptions } from './flags.ts';
import { renderHistory } from './render.ts';

export async function historyCommand(options: HistoryOptions): Promise<number> {
  const { file = [], pool } = options;
  if (file.length > 0) refuseCluster(options);
  const all = file.length > 0 ? await journalOfFiles(file) : await journalOfCluster(options);
  const commands = pool === undefined ? all : all.filter(({ nodes }) => nodes.some((n) => n.nodePool === pool));
  if (pool !== undefined && commands.length === 0 && all.length > 0)
    tell([`no command of NodePool ${pool}: the history has commands of ${poolsOf(all).join(', ')}`]);
  print(await format(historyDocument(commands, options.limit), options.output));
  return EXIT.ok;
}

function poolsOf(commands: readonly Command[]): readonly string[] {
  return [...new Set(commands.flatMap(({ nodes }) => nodes.map((n) => n.nodePool)))].sort();
}

const { group, version, kind } = COMMAND_RESOURCE;

export async function journalOfFiles(files: readonly string[]): Promise<readonly Command[]> {
  const objects = await readRawObjects(files, { [kind]: `${group}/${version}` });
  return objects.map(({ name, spec, status }) => decoded(name, spec, status));
}

async function journalOfCluster(options: ConnectionOptions): Promise<readonly Command[]> {
  const objects = await liveObjects(await connect(options), pathOf(COMMAND_RESOURCE));
  if (objects === undefined) {
    throw new UsageError(
      'the cluster has no kind ConsolidationCommand: install it with decant crd | kubectl apply --server-side -f -',
    );
  }
  return objects.flatMap(({ metadata, spec, status }) => {
    try {
      return [decoded((metadata as { name: string }).name, spec, status)];
    } catch (problem) {
      // A command of another version must not hide the others.
      if (!(problem instanceof InputError)) throw problem;
      tell([`left out: ${problem.message}`]);
      return [];
    }
  });
}

function decoded(name: string, spec: unknown, status: unknown): Command {
  try {
    return commandOf(name, spec, status);
  } catch (problem) {
    if (!(problem instanceof FieldProblem)) throw problem;
    throw inputError([problem.of(`${kind}/${name}`)]);
  }
}

async function format(document: HistoryDocument, output: HistoryOptions['output']): Promise<string> {
  if (output === 'json' || output === 'yaml') return documentText(document, output);
  const width = outputWidth(120);
  return renderHistory(document, output === 'wide' ? Number.POSITIVE_INFINITY : width);
}
