import type { Command } from 'commander';
import { outputFlag } from '../flags/flag-values.ts';
import { addInputOptions } from '../flags/input.ts';
import { addPlanOptions, refuseUnusedSearch } from '../flags/planning.ts';
import { givenSettings } from '../flags/settings.ts';
import { KUBECTL_GET } from '../input/kubectl-dump.ts';
import { exitWith } from '../output/exit.ts';

const EXAMPLES = `
Examples:
  decant plan --context production
  ${KUBECTL_GET} > cluster.json
  decant plan -f cluster.json --catalog aws/us-east-1
  decant plan -f cluster.json --compat karpenter -o json | jq .totals
  decant plan -f cluster.json -o html > plan.html
`;

export function addPlan(decant: Command): void {
  const plan = decant
    .command('plan')
    .description('Plan which nodes to remove or replace now, and show why every other node stays.');
  addPlanOptions(addInputOptions(plan))
    .addOption(
      outputFlag(
        ['text', 'wide', 'json', 'yaml', 'html'],
        'Output format; html is one file with the views of the dashboard',
      ),
    )
    .option('--exit-code', 'Exit 1 if the plan is empty')
    .addHelpText('after', EXAMPLES);
  plan.action(async (options) => {
    refuseUnusedSearch(plan);
    await exitWith((await import('./plan.ts')).planCommand({ ...options, flags: givenSettings(plan) }));
  });
}
