import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import { addAdopt } from './adopt/flags.ts';
import { addBlockers } from './blockers/flags.ts';
import { addCatalog } from './catalog/flags.ts';
import { addCompare } from './compare/flags.ts';
import { addCompletion } from './completion/flags.ts';
import { addCost } from './cost/flags.ts';
import { addCrd } from './crd/flags.ts';
import { addDemo } from './demo/flags.ts';
import { addExplain } from './explain/flags.ts';
import { UsageError } from './flags/usage-error.ts';
import { addHistory } from './history/flags.ts';
import { EXIT } from './output/exit.ts';
import { complain, page, print } from './output/terminal-text.ts';
import { addPlan } from './plan/flags.ts';
import { addRun } from './run/flags.ts';
import { addServe } from './serve/flags.ts';
import { addSimulate } from './simulate/flags.ts';
import { addSnapshot } from './snapshot/flags.ts';
import { addTune } from './tune/flags.ts';
import { addValidate } from './validate/flags.ts';

const EXAMPLES = `
Examples:
  decant demo
  decant plan -f cluster.json
  decant explain node ip-10-0-1-17 -f cluster.json

Every command has examples of its own: decant plan --help.
`;

/** Of help that is piped somewhere, such as into a pager on a terminal of the usual width. */
const PIPED_WIDTH = 80;

/** Commands load their code when they run: a plan does not pay for what other commands need. */
export async function run(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', leave);
  // Who closed it wants no words; the work goes on.
  process.stderr.on('error', () => {});
  try {
    await program().parseAsync(argv);
  } catch (error) {
    process.exitCode = await report(error);
  }
}

export function program(): Command {
  const decant = new Command('decant')
    .description('Moves pods off nodes that are not worth their price: consolidation for clusters that run Karpenter.')
    .option('-V, --version', 'print the version')
    .on('option:version', printVersion)
    .addHelpText('after', EXAMPLES)
    .configureHelp({ minWidthToWrap: 20 })
    .exitOverride()
    .configureOutput({
      getOutHelpWidth: () => (process.stdout.isTTY ? (process.stdout.columns ?? 80) : PIPED_WIDTH),
      outputError: (text, write) => write(page(text.replace(/^error: /, 'decant: '))),
    });

  addPlan(decant);
  addExplain(decant);
  addValidate(decant);
  addSnapshot(decant);
  addSimulate(decant);
  addCatalog(decant);
  addCompare(decant);
  addCost(decant);
  addBlockers(decant);
  addTune(decant);
  addAdopt(decant);
  addHistory(decant);
  addCrd(decant);
  addDemo(decant);
  addRun(decant);
  addServe(decant);
  addCompletion(decant);
  pointToHelp(decant, 'decant');
  return decant;
}

/** After a mistake: of the command that it was made with, which knows what would have been right. */
function pointToHelp(command: Command, path: string): void {
  command.showHelpAfterError(`(${path} --help lists what there is)`);
  for (const each of command.commands) pointToHelp(each, `${path} ${each.name()}`);
}

/** Read when asked for, because no other run needs it; two folders up from src/cli and from dist/cli alike. */
function printVersion(): never {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  print(`${version}\n`);
  throw new CommanderError(0, 'commander.version', version);
}

/** What went wrong as one line, and the exit code for it; a bug shows its stack, and must not look like a "no". */
async function report(error: unknown): Promise<number> {
  // Commander has printed its message by now; help and version arrive here too, with code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.badInput;
  const { CatalogError } = await import('../catalog/catalog-error.ts');
  const { InputError } = await import('../config/input-error.ts');
  const { ApiError } = await import('../live/api-client.ts');
  if (error instanceof ApiError) {
    complain(error.message);
    // Who answers that nobody is in has not been reached either.
    const nobodyIn = error.status >= 500 || error.status === 0;
    return nobodyIn && error.reason !== 'BadConfig' ? EXIT.unreachable : EXIT.badInput;
  }
  const { WorkloadTooLarge } = await import('../simulator/pod-limits.ts');
  const ours = [UsageError, InputError, CatalogError, WorkloadTooLarge];
  if (error instanceof Error && ours.some((kind) => error instanceof kind)) {
    complain(error.message);
    if (error instanceof InputError) error.others.forEach(complain);
  } else process.stderr.write(`decant: internal error: ${inspect(error)}\n`);
  return EXIT.badInput;
}

/** `decant plan | head` closes the pipe early; that is not an error. A full disk is, and must not look like a "no". */
function leave(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
  complain(`the output cannot be written: ${error.message}`);
  process.exit(EXIT.badInput);
}
