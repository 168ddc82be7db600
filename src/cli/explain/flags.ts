import type { Command } from 'commander';
import { addCommand } from '../flags/command.ts';
import { type OptionsOf, outputFlag } from '../flags/flag.ts';
import { inputFlags } from '../flags/input.ts';
import { PLAN_FLAGS, refuseUnusedSearch } from '../flags/planning.ts';
import type { GivenSettings } from '../flags/settings.ts';

const EXAMPLES = `
Examples:
  decant explain node ip-10-0-1-17 --context production
  decant explain node ip-10-0-1-17 -f cluster.json
  decant explain pod shop/cart-7 -f cluster.json
  decant explain move 1 -f cluster.json --catalog aws/us-east-1
  decant explain node ip-10-0-1-17 -f cluster.json -o json |
    jq -r '.unlocks[].message'
`;

const FLAGS = [...inputFlags(), ...PLAN_FLAGS, outputFlag(['text', 'wide', 'json', 'yaml'])];

export type ExplainOptions = OptionsOf<typeof FLAGS> & GivenSettings;

export function addExplain(decant: Command): void {
  const explain = decant
    .command('explain')
    .description('Explain why a node stays, where a pod could go, or why the plan has a move.')
    .addHelpText('after', EXAMPLES);
  const add = (kind: 'node' | 'pod' | 'move', argument: string, description: string) =>
    addCommand(explain, {
      name: `${kind} ${argument}`,
      description,
      flags: FLAGS,
      settings: 'plan',
      examples: EXAMPLES,
      isDefault: kind === 'node',
      async run(options, command) {
        refuseUnusedSearch(command);
        return (await import('./explain.ts')).explainCommand(kind, command.args[0], options);
      },
    });
  add(
    'node',
    '<name>',
    'Why the node is removed or stays: every gate, where its pods would go, and what would unlock it',
  );
  add('pod', '<namespace/name>', 'Which nodes would take the pod, and why the others would not');
  add('move', '<number>', 'One move of the plan, compared with the alternatives');
}
