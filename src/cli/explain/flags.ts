import type { Command } from 'commander';
import { outputFlag } from '../flags/flag-values.ts';
import { addInputOptions } from '../flags/input.ts';
import { addPlanOptions, refuseUnusedSearch } from '../flags/planning.ts';
import { givenSettings } from '../flags/settings.ts';
import { exitWith } from '../output/exit.ts';

const EXAMPLES = `
Examples:
  decant explain node ip-10-0-1-17 --context production
  decant explain node ip-10-0-1-17 -f cluster.json
  decant explain pod shop/cart-7 -f cluster.json
  decant explain move 1 -f cluster.json --catalog aws/us-east-1
  decant explain node ip-10-0-1-17 -f cluster.json -o json |
    jq -r '.unlocks[].message'
`;

export function addExplain(decant: Command): void {
  const explain = decant
    .command('explain')
    .description('Explain why a node stays, where a pod could go, or why the plan has a move.')
    .addHelpText('after', EXAMPLES);
  addSubject(
    explain,
    'node',
    '<name>',
    'Why the node goes or stays: every gate, where its pods would go, and what would unlock it',
  );
  addSubject(explain, 'pod', '<namespace/name>', 'Which nodes would take the pod, and why the others would not');
  addSubject(explain, 'move', '<number>', 'One move of the plan, compared with the alternatives');
}

function addSubject(explain: Command, kind: 'node' | 'pod' | 'move', argument: string, description: string): void {
  const command = explain.command(`${kind} ${argument}`, { isDefault: kind === 'node' }).description(description);
  addPlanOptions(addInputOptions(command))
    .addOption(outputFlag(['text', 'wide', 'json', 'yaml']))
    .addHelpText('after', EXAMPLES);
  command.action(async (subject: string, options) => {
    refuseUnusedSearch(command);
    await exitWith(
      (await import('./explain.ts')).explainCommand(kind, subject, { ...options, flags: givenSettings(command) }),
    );
  });
}
