import type { Command } from 'commander';
import { port } from '../flags/flag-values.ts';
import { addInputOptions } from '../flags/input.ts';
import { addDecisionOptions, refuseUnusedSearch } from '../flags/planning.ts';
import { givenSettings } from '../flags/settings.ts';
import { exitWith } from '../output/exit.ts';

const EXAMPLES = `
The dashboard is read-only and listens on this machine only. With
--bind-address it serves with TLS, and every request needs a token: the one in
--token-file, or a new one that is printed. Press Ctrl-C to stop.

Without -f, the dashboard follows the cluster of the kubeconfig and shows past
ConsolidationCommands; it writes nothing and needs no controller.

Examples:
  decant serve
  decant serve -f examples/forty-nodes.json.gz
  decant serve -f cluster.json --catalog aws/us-east-1 --port 0
  decant serve -f cluster.json --bind-address 0.0.0.0 --token-file token.txt \\
    --tls-cert-file tls.crt --tls-key-file tls.key
`;

export function addServe(decant: Command): void {
  const serve = decant
    .command('serve')
    .description('Show a cluster in the browser: what each node costs, and why it stays.');
  addDecisionOptions(addListenOptions(addInputOptions(serve))).addHelpText('after', EXAMPLES);
  serve.action(async (options) => {
    refuseUnusedSearch(serve);
    await exitWith((await import('./serve.ts')).serveCommand({ ...options, flags: givenSettings(serve) }));
  });
}

/** The flags of every command that serves a dashboard. */
export function addListenOptions(command: Command): Command {
  return command
    .option(
      '--port <number>',
      'Port of the dashboard; 0 picks a free port (default: 8090, or a free port if that is taken)',
      port,
    )
    .option(
      '--bind-address <address>',
      'Listen address, such as 0.0.0.0; requests then need a token and TLS (default: this machine only)',
    )
    .option('--token-file <file>', 'File with the token that requests need (default: a new token, which is printed)')
    .option('--tls-cert-file <file>', 'Certificate, with its chain; read again when it changes')
    .option('--tls-key-file <file>', 'Key of the certificate')
    .option('--plain-http', 'Serve without TLS beyond this machine, for a proxy that encrypts');
}
