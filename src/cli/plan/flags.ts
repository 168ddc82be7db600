import { type Command, Option } from 'commander';
import { addInputOptions } from '../flags/input.ts';
import { addPlanOptions, refuseUnusedSearch } from '../flags/planning.ts';
import { givenSettings } from '../flags/settings.ts';
import { KUBECTL_GET } from '../input/kubectl-dump.ts';

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
      new Option('-o, --output <format>', 'Output format; html is one file with the views of the dashboard')
        .choices(['text', 'wide', 'json', 'yaml', 'html'])
        .default('text'),
    )
    .option('--exit-code', 'Exit 1 if the plan is empty')
    .addHelpText('after', EXAMPLES);
  plan.action(async (options) => {
    refuseUnusedSearch(plan);
    const { planCommand } = await import('./plan.ts');
    process.exitCode = await planCommand({ ...options, flags: givenSettings(plan) });
  });
}
