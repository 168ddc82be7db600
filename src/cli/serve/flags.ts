import { type Command, InvalidArgumentError } from 'commander';
import { addInputOptions } from '../flags/input.ts';
import { addDecisionOptions, refuseIdleSearch } from '../flags/planning.ts';
import { givenSwitches } from '../flags/settings.ts';

const EXAMPLES = `
The dashboard is for this machine only unless --bind-address says otherwise;
then whoever asks needs a token, which is read from --token-file or made and
printed. It shows a cluster and changes nothing. Ctrl-C ends it.

Examples:
  decant serve -f examples/forty-nodes.json.gz
  decant serve -f cluster.json --catalog aws/us-east-1 --port 0
  decant serve -f cluster.json --bind-address 0.0.0.0 --token-file token.txt
`;

export function addServe(decant: Command): void {
  const serve = decant
    .command('serve')
    .description('A cluster in the browser: what each node costs, and why it stays.');
  addDecisionOptions(addListenOptions(addInputOptions(serve))).addHelpText('after', EXAMPLES);
  serve.action(async (options) => {
    refuseIdleSearch(serve);
    const { serveCommand } = await import('./serve.ts');
    process.exitCode = await serveCommand({ ...options, flags: givenSwitches(serve) });
  });
}

/** Where a dashboard listens, the same for every command that has one. */
export function addListenOptions(command: Command): Command {
  return command
    .option('--port <number>', 'where to listen (default: 8090, or any that is free); 0: any that is free', port)
    .option('--bind-address <address>', 'listen beyond this machine, such as 0.0.0.0; asks for a token')
    .option('--token-file <file>', 'the token that callers need; made and printed if there is none');
}

function port(text: string): number {
  const number = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= 65_535) return number;
  throw new InvalidArgumentError('allowed: a whole number from 0 to 65535.');
}
