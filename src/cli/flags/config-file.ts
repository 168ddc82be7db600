import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, type Option } from 'commander';
import { nearest } from '../../config/did-you-mean.ts';
import { InputError, inputError } from '../../config/input-error.ts';
import type { Problem } from '../../config/problem.ts';

/** Commands without defaults: the controller's behavior may not depend on a file in a home directory. */
const WITHOUT_DEFAULTS: ReadonlySet<string> = new Set(['run', 'completion', '__complete']);
/** Flags that name a cluster, and do not go with files. */
const CONNECTION: ReadonlySet<string> = new Set(['kubeconfig', 'context']);

/** DECANT_CONFIG, or decant.yaml in XDG_CONFIG_HOME or ~/.config. */
function configPath(env: NodeJS.ProcessEnv): string {
  const { DECANT_CONFIG: given, XDG_CONFIG_HOME: folder } = env;
  return given || join(folder || join(homedir(), '.config'), 'decant.yaml');
}

/** Gives flags that were not set their values from the configuration file. Throws InputError. */
export async function applyConfigFile(command: Command, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const path = pathOf(command);
  if (WITHOUT_DEFAULTS.has(path[0])) return;
  const file = configPath(env);
  const document = await read(file, env);
  if (document === undefined) return;
  const program = rootOf(command);
  const problems: Problem[] = [];
  const values = new Map<string, { readonly field: string; readonly value: unknown }>();
  const add = (fields: object, prefix: string, known: readonly string[], isOwn: boolean) => {
    for (const [key, value] of Object.entries(fields)) {
      if (!known.includes(key)) problems.push(unknownField(file, `${prefix}${key}`, key, value, known));
      else if (isOwn) values.set(key, { field: `${prefix}${key}`, value });
    }
  };
  const sections = new Map(program.commands.map((each) => [each.name(), each]));
  const flags = flagsOf(program);
  const entries = Object.entries(document);
  // Sections of a command take precedence over the top level.
  for (const isSection of [false, true]) {
    for (const [key, value] of entries) {
      // "catalog" is a command and a flag: no flag takes fields.
      const section = isFields(value) || !flags.includes(key) ? sections.get(key) : undefined;
      if ((section !== undefined) !== isSection) continue;
      if (section === undefined) add({ [key]: value }, '', [...flags, ...sections.keys()], true);
      else if (isFields(value)) add(value, `${key}.`, flagsOf(section), key === path[0]);
      else problems.push({ object: file, field: key, value, allowed: `flags of decant ${key} with their values` });
    }
  }
  for (const option of command.options) {
    const given = values.get((option.long ?? '').slice(2));
    if (given === undefined || !mayBeSet(command, option)) continue;
    const problem = set(command, option, given.value);
    if (problem !== undefined)
      problems.push({ object: file, field: given.field, value: given.value, allowed: problem });
  }
  if (problems.length > 0) throw inputError(problems);
}

function isFields(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function read(file: string, env: NodeJS.ProcessEnv): Promise<object | undefined> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!env.DECANT_CONFIG && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined;
    throw new InputError(`${file}: ${code === 'ENOENT' ? 'no such file' : (error as Error).message}`);
  }
  if (text.trim() === '') return undefined;
  const { parseDocument } = await import('../../config/parse-document.ts');
  const document = await parseDocument(text, file);
  if (document === null || document === undefined) return undefined;
  if (isFields(document)) return document;
  throw inputError([{ object: file, field: '', value: document, allowed: 'flags with their values' }]);
}

/** Flags and environment variables take precedence; flags that conflict with them are left out. */
function mayBeSet(command: Command, option: Option): boolean {
  const isGiven = (name: string) => ['cli', 'env'].includes(command.getOptionValueSource(name) ?? '');
  const name = option.attributeName();
  if (isGiven(name) || (CONNECTION.has(name) && isGiven('file'))) return false;
  const excludes = (one: Option, other: Option) => {
    const { conflictsWith = [] } = one as Option & { readonly conflictsWith?: readonly string[] };
    return conflictsWith.includes(other.attributeName());
  };
  return !command.options.some(
    (other) => isGiven(other.attributeName()) && (excludes(other, option) || excludes(option, other)),
  );
}

/** Returns what is allowed, if the value is not. */
function set(command: Command, option: Option, value: unknown): string | undefined {
  const name = option.attributeName();
  if (!option.required && !option.optional) {
    if (typeof value !== 'boolean') return 'true or false';
    if (value !== option.negate) command.setOptionValueWithSource(name, value && !option.negate, 'config');
    return undefined;
  }
  if (typeof value === 'object') return 'one value, as the flag takes it';
  try {
    const text = String(value);
    const parsed: unknown = option.parseArg === undefined ? text : option.parseArg(text, undefined);
    command.setOptionValueWithSource(name, parsed, 'config');
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return error.message.replace(/^Allowed choices are /, '').replace(/\.$/, '');
  }
}

function unknownField(object: string, field: string, key: string, value: unknown, known: readonly string[]): Problem {
  const like = nearest(key, known);
  return {
    object,
    field,
    value,
    allowed: `flags without their dashes${like === undefined ? '' : `, such as ${like}`}`,
  };
}

/** Of the command and those below it. */
function flagsOf(command: Command): string[] {
  const own = command.options.map((option) => (option.long ?? '').slice(2));
  return [...new Set([...own, ...command.commands.flatMap(flagsOf)])].filter((flag) => flag !== 'version');
}

function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}
