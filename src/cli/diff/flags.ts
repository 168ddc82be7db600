import type { Command } from 'commander';
import { addCommand } from '../flags/command.ts';
import { flag, type OptionsOf, outputFlag } from '../flags/flag.ts';
import { percentage } from '../flags/flag-values.ts';
import { inputFlags } from '../flags/input.ts';
import { DECISION_FLAGS, refuseUnusedSearch } from '../flags/planning.ts';
import type { GivenSettings } from '../flags/settings.ts';

const EXAMPLES = `
A and B are files or folders with NodePools, ConsolidationPolicies,
NodeOverlays, CapacityBuffers, DaemonSets, StorageClasses and PodTemplates,
which replace those of the cluster. What only one of them has is absent from
the other side. Without B, A is compared with the present cluster.
karpenter@1.14 and karpenter@1.15 compare versions of Karpenter.

Exit codes: 1 if the planned cost rises by more than --max-increase.

Examples:
  decant diff nodepools.yaml
  decant diff -f cluster.json nodepools.yaml
  decant diff -f cluster.json before/ after/ -o markdown --max-increase 5%
  decant diff -f cluster.json karpenter@1.14 karpenter@1.15
`;

const FLAGS = [
  ...inputFlags(),
  ...DECISION_FLAGS,
  flag(
    '--max-increase <percent>',
    'Exit 1 if the planned cost rises by more than this',
    percentage('a percentage of at least 0 such as 5%', (percent) => percent >= 0, { needsSign: true }),
  ),
  outputFlag(['text', 'markdown', 'json', 'yaml'], 'Output format; markdown is a comment for a pull request'),
];

export type DiffOptions = OptionsOf<typeof FLAGS> & GivenSettings;

export function addDiff(decant: Command): void {
  addCommand(decant, {
    name: 'diff',
    arguments: { '<A>': 'Changed objects, or a version of Karpenter', '[B]': 'The same, to compare with A' },
    summary: 'Show what a change of NodePools, policies or Karpenter does to plan and cost.',
    description:
      'Show what a change of NodePools, policies, manifests or the version of Karpenter does to the plan and the cost of a cluster.',
    flags: FLAGS,
    settings: 'plan',
    examples: EXAMPLES,
    async run(options, command) {
      refuseUnusedSearch(command);
      const [a, b] = command.args;
      return (await import('./diff.ts')).diffCommand(a, b, options);
    },
  });
}
