import { Argument, type Command } from 'commander';
import { outputFlag, percentage } from '../flags/flag-values.ts';
import { addInputOptions } from '../flags/input.ts';
import { addDecisionOptions, refuseUnusedSearch } from '../flags/planning.ts';
import { givenSettings } from '../flags/settings.ts';
import { exitWith } from '../output/exit.ts';

const EXAMPLES = `
A and B are files or folders with NodePools, ConsolidationPolicies,
NodeOverlays, CapacityBuffers, DaemonSets, StorageClasses and PodTemplates,
which replace those of the cluster. What only one of them has is absent from
the other side. Without B, A is compared with the cluster as it is.
karpenter@1.14 and karpenter@1.15 compare versions of Karpenter.

Exit codes: 1 if the planned cost rises by more than --max-increase.

Examples:
  decant diff -f cluster.json nodepools.yaml
  decant diff -f cluster.json before/ after/ -o markdown --max-increase 5%
  decant diff -f cluster.json karpenter@1.14 karpenter@1.15
`;

export function addDiff(decant: Command): void {
  const diff = decant
    .command('diff')
    .summary('Show what a change of NodePools, policies or Karpenter does to plan and cost.')
    .description(
      'What a change of NodePools, policies, manifests or the version of Karpenter does to the plan and the cost of a cluster.',
    )
    .addArgument(new Argument('<A>', 'Changed objects, or a version of Karpenter'))
    .addArgument(new Argument('[B]', 'The same, to compare with A'));
  addDecisionOptions(addInputOptions(diff))
    .option(
      '--max-increase <percent>',
      'Exit 1 if the planned cost rises by more than this',
      percentage('a percentage of at least 0 such as 5%', (percent) => percent >= 0, { needsSign: true }),
    )
    .addOption(
      outputFlag(['text', 'markdown', 'json', 'yaml'], 'Output format; markdown is a comment for a pull request'),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (a: string, b: string | undefined, options) => {
      refuseUnusedSearch(diff);
      await exitWith((await import('./diff.ts')).diffCommand(a, b, { ...options, flags: givenSettings(diff) }));
    });
}
