import type { Command } from 'commander';
import { addCommand } from '../flags/command.ts';
import { flag, type OptionsOf, outputFlag } from '../flags/flag.ts';
import { wholeNumberFlag } from '../flags/flag-values.ts';
import { inputFlags } from '../flags/input.ts';

const EXAMPLES = `
Examples:
  decant cost
  decant cost --by workload --limit 20
  decant cost -f cluster.json --by label:team
  decant cost -o json | jq '.groups[] | select(.name == "shop")'
`;

const FLAGS = [
  ...inputFlags(),
  flag('--by <group>', 'Group by namespace, workload, pool, node, or label:KEY', String, 'namespace'),
  flag('--limit <n>', 'Show this many groups (totals count all)', wholeNumberFlag(1, 999_999_999)),
  outputFlag(['text', 'json', 'yaml']),
];

export type CostOptions = OptionsOf<typeof FLAGS>;

export function addCost(decant: Command): void {
  addCommand(decant, {
    name: 'cost',
    summary: 'Show the cost of the cluster by namespace, workload, label, pool or node.',
    description:
      'Show the cost of the cluster by namespace, workload, label, pool or node: by requests, as OpenCost allocates it, with idle capacity.',
    flags: FLAGS,
    examples: EXAMPLES,
    run: async (options) => (await import('./cost.ts')).costCommand(options),
  });
}
