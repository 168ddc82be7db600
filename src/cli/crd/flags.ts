import type { Command } from 'commander';
import { outputFlag } from '../flags/flag-values.ts';
import { exitWith } from '../output/exit.ts';

const EXAMPLES = `
Examples:
  decant crd | kubectl apply --server-side -f -
  decant crd --nodepool-patch -o json > patch.json
  kubectl patch crd nodepools.karpenter.sh --type json --patch-file patch.json
`;

export function addCrd(decant: Command): void {
  decant
    .command('crd')
    .description('Print the CustomResourceDefinitions of ConsolidationPolicy and ConsolidationCommand.')
    .option('--nodepool-patch', 'Print a JSON patch that adds the same fields to the NodePool CRD of Karpenter')
    .addOption(outputFlag(['yaml', 'json']))
    .addHelpText('after', EXAMPLES)
    .action(async (options) => exitWith((await import('./crd.ts')).crdCommand(options)));
}
