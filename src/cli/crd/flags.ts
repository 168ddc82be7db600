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
    .description('The CustomResourceDefinitions of ConsolidationPolicy and ConsolidationCommand.')
    .option(
      '--nodepool-patch',
      'instead: a JSON patch that gives Karpenter’s NodePool CRD the same fields, for those who want them there',
    )
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['yaml', 'json']).default('yaml'))
    .addHelpText('after', EXAMPLES)
    .action(async (options) => {
      const { crdCommand } = await import('./crd.ts');
      process.exitCode = crdCommand(options);
    });
}
