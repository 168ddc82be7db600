import type { Command } from 'commander';
import { addCommand } from '../flags/command.ts';
import { flag, type OptionsOf, outputFlag } from '../flags/flag.ts';
import { inputFlags } from '../flags/input.ts';
import { PLAN_FLAGS, refuseUnusedSearch } from '../flags/planning.ts';
import type { GivenSettings } from '../flags/settings.ts';
import { KUBECTL_GET } from '../input/kubectl-dump.ts';

const EXAMPLES = `
Examples:
  decant plan --context production
  ${KUBECTL_GET} > cluster.json
  decant plan -f cluster.json --catalog aws/us-east-1
  decant plan -f cluster.json --compat karpenter -o json | jq .totals
  decant plan -f cluster.json -o html > plan.html
`;

const FLAGS = [
  ...inputFlags(),
  ...PLAN_FLAGS,
  outputFlag(
    ['text', 'wide', 'json', 'yaml', 'html'],
    'Output format; html is one file with the views of the dashboard',
  ),
  flag('--exit-code', 'Exit 1 if the plan is empty'),
];

export type PlanCommandOptions = OptionsOf<typeof FLAGS> & GivenSettings;

export function addPlan(decant: Command): void {
  addCommand(decant, {
    name: 'plan',
    description: 'Plan which nodes to remove or replace now, and show why every other node stays.',
    flags: FLAGS,
    settings: 'plan',
    examples: EXAMPLES,
    async run(options, command) {
      refuseUnusedSearch(command);
      return (await import('./plan.ts')).planCommand(options);
    },
  });
}
