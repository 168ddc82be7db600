import { type Command, Option } from 'commander';
import { addInputOptions } from '../flags/input.ts';
import { addPlanOptions, refuseIdleSearch } from '../flags/planning.ts';
import { givenSwitches } from '../flags/settings.ts';

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
    .description('Why a node goes or stays and what would change that; where a pod could go; why this move.')
    .addHelpText('after', EXAMPLES);
  addSubject(explain, 'node', '<name>', 'every gate in order, what became of its pods, and what would unlock it');
  addSubject(explain, 'pod', '<namespace/name>', 'which nodes would take it, what the others have against it');
  addSubject(explain, 'move', '<number>', 'one move of the plan beside what could have been done instead');
}

function addSubject(explain: Command, kind: 'node' | 'pod' | 'move', argument: string, description: string): void {
  const command = explain.command(`${kind} ${argument}`).description(description);
  addPlanOptions(addInputOptions(command))
    .addOption(
      new Option('-o, --output <format>', 'how to print').choices(['text', 'wide', 'json', 'yaml']).default('text'),
    )
    .addHelpText('after', EXAMPLES);
  command.action(async (subject: string, options) => {
    refuseIdleSearch(command);
    const { explainCommand } = await import('./explain.ts');
    process.exitCode = await explainCommand(kind, subject, { ...options, flags: givenSwitches(command) });
  });
}
