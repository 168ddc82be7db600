import { type Command, Option } from 'commander';

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
    .addOption(new Option('-o, --output <format>', 'Output format').choices(['yaml', 'json']).default('yaml'))
    .addHelpText('after', EXAMPLES)
    .action(async (options) => {
      const { crdCommand } = await import('./crd.ts');
      process.exitCode = crdCommand(options);
    });
}
