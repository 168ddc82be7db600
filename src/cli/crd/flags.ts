import type { Command } from 'commander';
import { addCommand } from '../flags/command.ts';
import { flag, type OptionsOf, outputFlag } from '../flags/flag.ts';

const EXAMPLES = `
Examples:
  decant crd | kubectl apply --server-side -f -
  decant crd --nodepool-patch -o json > patch.json
  kubectl patch crd nodepools.karpenter.sh --type json --patch-file patch.json
`;

const FLAGS = [
  flag('--nodepool-patch', 'Print a JSON patch that adds the same fields to the NodePool CRD of Karpenter'),
  outputFlag(['yaml', 'json']),
];

export type CrdOptions = OptionsOf<typeof FLAGS>;

export function addCrd(decant: Command): void {
  addCommand(decant, {
    name: 'crd',
    description: 'Print the CustomResourceDefinitions of ConsolidationPolicy and ConsolidationCommand.',
    flags: FLAGS,
    examples: EXAMPLES,
    run: async (options) => (await import('./crd.ts')).crdCommand(options),
  });
}
