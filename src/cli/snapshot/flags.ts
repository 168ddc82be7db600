import { type Command, Option } from 'commander';
import { addInputOptions } from '../flags/input.ts';

const EXAMPLES = `
Examples:
  decant snapshot --context production > s.json
  kubectl get -A -o json \\
    nodes,pods,nodepools,nodeclaims,pdb,ds,pv,pvc,sc,csinodes,ns,deploy,rs,sts |
    decant snapshot -f - > s.json
  decant snapshot -f cluster/ --overlay savings-plan.yaml > s.json
  decant plan -f s.json
`;

export function addSnapshot(decant: Command): void {
  const command = decant
    .command('snapshot')
    .description(
      'One file that holds a cluster, its prices and the moment: all that decisions need, and nothing else. No environment variables, no secrets, no other annotations.',
    );
  addInputOptions(command)
    .addOption(new Option('-o, --output <format>', 'how to write it').choices(['json', 'yaml']).default('json'))
    .addHelpText('after', EXAMPLES)
    .action(async (options) => {
      const { snapshotCommand } = await import('./snapshot.ts');
      process.exitCode = await snapshotCommand(options);
    });
}
