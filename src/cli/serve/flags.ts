import type { Command } from 'commander';
import { addCommand } from '../flags/command.ts';
import { inputFlags } from '../flags/input.ts';
import { LISTEN_FLAGS } from '../flags/listen.ts';
import { DECISION_FLAGS, refuseUnusedSearch } from '../flags/planning.ts';

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
  addCommand(decant, {
    name: 'serve',
    description: 'Show a cluster in the browser: what each node costs, and why it stays.',
    flags: [...inputFlags(), ...LISTEN_FLAGS, ...DECISION_FLAGS],
    settings: 'plan',
    examples: EXAMPLES,
    async run(options, command) {
      refuseUnusedSearch(command);
      return (await import('./serve.ts')).serveCommand(options);
    },
  });
}
