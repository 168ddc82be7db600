import type { Command, Option } from 'commander';
import type { ConnectOptions } from '../../live/api-client.ts';

/** A user waits at the prompt. */
const TIMEOUT_MS = 2000;

/** Completions of the last word; none: the shell's own, such as files. */
export async function complete(
  decant: Command,
  words: readonly string[],
  namesOf: (kind: NamedKind, input: NamedInput) => Promise<readonly string[]> = knownNames,
): Promise<readonly string[]> {
  const partial = words.at(-1) ?? '';
  const { command, waiting, taken, input } = read(decant, words.slice(0, -1));
  const candidates = async (): Promise<readonly string[]> => {
    if (waiting !== undefined) {
      const kind = KIND_OF_OPTION[waiting.long ?? ''];
      return waiting.argChoices ?? (kind === undefined ? [] : namesOf(kind, input));
    }
    if (partial.startsWith('-')) return optionsOf(command);
    const commands = command.commands.map((c) => c.name()).filter((name) => !name.startsWith('__'));
    if (commands.length > 0) return commands;
    const choices = command.registeredArguments[taken]?.argChoices;
    const argument = command.registeredArguments[taken] ?? command.registeredArguments.at(-1);
    const kind = taken === 0 || argument?.variadic ? KIND_OF_COMMAND[pathOf(command)] : undefined;
    return choices ?? (kind === undefined ? [] : namesOf(kind, input));
  };
  return (await candidates()).filter((each) => each.startsWith(partial)).sort();
}

type NamedKind = 'nodes' | 'pods' | 'nodepools';

const KIND_OF_COMMAND: Readonly<Record<string, NamedKind>> = {
  'explain node': 'nodes',
  'explain pod': 'pods',
  adopt: 'nodepools',
};
const KIND_OF_OPTION: Readonly<Record<string, NamedKind>> = { '--pool': 'nodepools' };

/** Where names come from: files, or else the cluster. */
interface NamedInput extends ConnectOptions {
  readonly files: readonly string[];
}

interface Reading {
  readonly command: Command;
  /** The option whose value comes next. */
  readonly waiting: Option | undefined;
  /** Arguments of the command so far. */
  readonly taken: number;
  readonly input: NamedInput;
}

function read(decant: Command, words: readonly string[]): Reading {
  let command = decant;
  let waiting: Option | undefined;
  let taken = 0;
  const input: { files: string[]; kubeconfig?: string; context?: string } = { files: [] };
  for (const word of words) {
    if (waiting !== undefined) {
      if (waiting.long === '--kubeconfig') input.kubeconfig = word;
      if (waiting.long === '--context') input.context = word;
      if (waiting.long === '--file') input.files.push(word);
      waiting = undefined;
    } else if (word.startsWith('-')) {
      const option = command.options.find((o) => o.long === word || o.short === word);
      waiting = option?.required ? option : undefined;
    } else {
      const sub = command.commands.find((c) => c.name() === word);
      if (sub === undefined) taken++;
      else command = sub;
    }
  }
  return { command, waiting, taken, input };
}

function optionsOf({ options }: Command): readonly string[] {
  return [...options.flatMap((o) => (o.hidden || o.long == null ? [] : [o.long])), '--help'];
}

function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}

const PATHS = {
  nodes: '/api/v1/nodes',
  pods: '/api/v1/pods',
  nodepools: '/apis/karpenter.sh/v1/nodepools',
} as const;

interface NamedList {
  readonly items?: readonly { readonly metadata: { readonly name: string; readonly namespace?: string } }[];
}

/** None if files cannot be read, or the cluster does not answer in time. */
async function knownNames(kind: NamedKind, input: NamedInput): Promise<readonly string[]> {
  try {
    return input.files.length > 0 ? await namesInFiles(kind, input.files) : await namesInCluster(kind, input);
  } catch {
    return [];
  }
}

async function namesInFiles(kind: NamedKind, files: readonly string[]): Promise<readonly string[]> {
  // It could only be read once.
  if (files.includes('-')) return [];
  const { loadCluster } = await import('../../kube/read/load.ts');
  const { nodes, pods, nodePools } = (await loadCluster(files)).objects;
  if (kind === 'pods') return pods.map(({ namespace, name }) => `${namespace}/${name}`);
  return (kind === 'nodes' ? nodes : nodePools).map(({ name }) => name);
}

async function namesInCluster(kind: NamedKind, connection: ConnectOptions): Promise<readonly string[]> {
  const { connect } = await import('../../live/api-client.ts');
  const client = await connect({ ...connection, requestTimeout: TIMEOUT_MS });
  const path = PATHS[kind];
  const { items = [] } = await client.request<NamedList>({ method: 'GET', path, query: { limit: '1000' } });
  return items.map(({ metadata: { name, namespace } }) => (namespace === undefined ? name : `${namespace}/${name}`));
}
