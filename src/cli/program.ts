import { existsSync } from 'node:fs';
import { inspect } from 'node:util';
import { Command, CommanderError, Help } from 'commander';
import { problemText } from '../config/problem.ts';
import { packageVersion } from '../live/package-version.ts';
import { count } from '../report/money.ts';
import { addAdopt } from './adopt/flags.ts';
import { addBlockers } from './blockers/flags.ts';
import { addCalendar } from './calendar/flags.ts';
import { addCatalog } from './catalog/flags.ts';
import { addCommit } from './commit/flags.ts';
import { addCompare } from './compare/flags.ts';
import { addCompletion } from './completion/flags.ts';
import { addCost } from './cost/flags.ts';
import { addCrd } from './crd/flags.ts';
import { addDemo } from './demo/flags.ts';
import { addDiff } from './diff/flags.ts';
import { addExplain } from './explain/flags.ts';
import { UsageError } from './flags/usage-error.ts';
import { addHistory } from './history/flags.ts';
import { EXIT } from './output/exit.ts';
import { complain, page, print } from './output/terminal-text.ts';
import { addPlan } from './plan/flags.ts';
import { addRecord } from './record/flags.ts';
import { addRun } from './run/flags.ts';
import { addServe } from './serve/flags.ts';
import { addSimulate } from './simulate/flags.ts';
import { addSnapshot } from './snapshot/flags.ts';
import { addTrace } from './trace/flags.ts';
import { addTune } from './tune/flags.ts';
import { addValidate } from './validate/flags.ts';
import { addVersion } from './version/flags.ts';

const EXAMPLES = `
Examples:
  decant demo
  decant plan -f cluster.json
  decant explain node ip-10-0-1-17 -f cluster.json

Exit codes:
  0  success
  1  validation failed or, with --exit-code, the plan is empty
  2  usage or input error
  3  cluster unreachable

Defaults for flags: ~/.config/decant.yaml (docs/settings.md).
decant <command> --help has flags and examples of each command.
`;

/** In the order of the help. */
const GROUPS: readonly (readonly [title: string, commands: readonly ((decant: Command) => void)[]])[] = [
  ['Understand a cluster:', [addPlan, addExplain, addBlockers, addCost, addCalendar, addDiff, addServe]],
  ['Consolidate it:', [addAdopt, addValidate, addCrd, addRun, addHistory]],
  ['Try policies in simulations:', [addDemo, addCompare, addSimulate, addTune, addRecord, addTrace]],
  ['Prices, commitments and files:', [addCatalog, addCommit, addSnapshot]],
  ['Other commands:', [addCompletion, addVersion]],
];

/** Width of help in a pipe, such as a pager. */
const PIPED_WIDTH = 80;

/** A longer flag has a line of its own, so that every description has the rest of the width. */
const WIDEST_TERM = 26;

const LAYOUT: Partial<Help> = {
  padWidth: (command, help) => Math.min(WIDEST_TERM, Help.prototype.padWidth.call(help, command, help)),
  formatItem(term, width, description, help) {
    const isLong = help.displayWidth(term) > width;
    const item = Help.prototype.formatItem.call(help, isLong ? '' : term, width, description, help);
    return isLong ? `  ${term}\n${item}` : item;
  },
};

/** Commands load their code when they run, to start faster. */
export async function run(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', leave);
  // A closed stderr must not stop the work.
  process.stderr.on('error', () => {});
  try {
    await program().parseAsync(argv);
  } catch (error) {
    process.exitCode = await report(error);
  }
}

export function program(): Command {
  const decant = new Command('decant')
    .description('Consolidation for Kubernetes clusters that run Karpenter: plan it, explain it, simulate it, run it.')
    .option('-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Show help')
    .on('option:version', printVersion)
    .addHelpText('after', EXAMPLES)
    .hook('preAction', async (_, command) => {
      const { applyConfigFile } = await import('./flags/config-file.ts');
      await applyConfigFile(command);
    })
    .configureHelp(LAYOUT)
    .exitOverride()
    .configureOutput({
      getOutHelpWidth: () => (process.stdout.isTTY ? (process.stdout.columns ?? 80) : PIPED_WIDTH),
      outputError: (text, write) => write(page(`decant: ${usageText(text)}`)),
    });

  for (const [title, commands] of GROUPS) {
    decant.commandsGroup(title);
    for (const add of commands) add(decant);
  }
  pointToHelp(decant, 'decant');
  return decant;
}

const BAD_VALUE =
  /^option '(?:-\w, )?(?<flag>--[\w-]+)[^']*' (?:argument|value) '(?<value>.*?)'(?: from env '(?<env>.*)')? is invalid\. (?:Allowed choices are )?(?<allowed>.*?)\.?$/s;

const BAD_ARGUMENT =
  /^command-argument value '(?<value>.*?)' is invalid for argument '(?<flag>.*)'\. (?:Allowed choices are )?(?<allowed>.*?)\.?$/s;

const TOO_MANY =
  /^too many arguments for '(?<command>.*)'\. Expected (?<most>\d+) arguments? but got \d+: (?<given>.*)\.$/;

/** What was meant is most often `-f FILE`, or a kind that cannot be explained. */
function tooManyText({ command, most, given }: Record<string, string>): string {
  const words = given.split(', ');
  if (command === 'node') return `explain takes node, pod or move, and one name, not: ${words.join(' ')}\n`;
  if (most !== '0') return `${command} takes ${count(Number(most), 'argument')}, not: ${words.join(' ')}\n`;
  const files = words.filter((word) => existsSync(word)).map((word) => ` -f ${word}`);
  const hint = files.length === 0 ? '' : `; files are given with -f: decant ${command}${files.join('')}`;
  return `${command} takes no arguments, not: ${words.join(' ')}${hint}\n`;
}

/** Commander's report of a bad value, in the words of all layers. */
function usageText(text: string): string {
  const message = text.replace(/^error: /, '');
  const tooMany = TOO_MANY.exec(message.trimEnd())?.groups;
  if (tooMany !== undefined) return tooManyText(tooMany);
  const { flag, value, env, allowed } =
    (BAD_VALUE.exec(message.trimEnd()) ?? BAD_ARGUMENT.exec(message.trimEnd()))?.groups ?? {};
  if (allowed === undefined) return message;
  const [object, field] = env === undefined ? ['command line', flag] : ['environment', env];
  return `${problemText({ object, field, value, allowed })}\n`;
}

/** Commands say where their help is: after a usage error, that of the command that was used. */
function pointToHelp(command: Command, path: string): void {
  command.showHelpAfterError(`(see ${path} --help)`);
  if (command.commands.length > 0) command.helpCommand('help [command]', 'Show help for a command');
  for (const each of command.commands) pointToHelp(each, `${path} ${each.name()}`);
}

function printVersion(): never {
  const version = packageVersion();
  print(`${version}\n`);
  throw new CommanderError(0, 'commander.version', version);
}

/** Prints the error and returns its exit code. A bug prints its stack. */
async function report(error: unknown): Promise<number> {
  // Commander has printed its message; help and version arrive here too, with code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.badInput;
  const { InputError } = await import('../config/input-error.ts');
  const { ApiError } = await import('../live/api-client.ts');
  if (error instanceof ApiError) {
    complain(error.message);
    const unreachable = error.status >= 500 || error.status === 0;
    return unreachable && error.reason !== 'BadConfig' ? EXIT.unreachable : EXIT.badInput;
  }
  const { WorkloadTooLarge } = await import('../simulator/pod-limits.ts');
  const ours = [UsageError, InputError, WorkloadTooLarge];
  if (error instanceof Error && ours.some((kind) => error instanceof kind)) {
    complain(error.message);
    if (error instanceof InputError) error.others.forEach(complain);
  } else process.stderr.write(`decant: internal error: ${inspect(error)}\n`);
  return EXIT.badInput;
}

/** A pipe that closes early, as in `decant plan | head`, is no error. A full disk is. */
function leave(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
  complain(`cannot write the output: ${error.message}`);
  process.exit(EXIT.badInput);
}
