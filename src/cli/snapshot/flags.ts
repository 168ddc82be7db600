import type { Command } from 'commander';
import { outputFlag } from '../flags/flag-values.ts';
import { addInputOptions } from '../flags/input.ts';
import { KUBECTL_GET } from '../input/kubectl-dump.ts';
import { exitWith } from '../output/exit.ts';

const EXAMPLES = `
Examples:
  decant snapshot --context production > s.json
  ${KUBECTL_GET} |
    decant snapshot -f - > s.json
  decant snapshot -f cluster/ --overlay savings-plan.yaml > s.json
  decant plan -f s.json
`;

export function addSnapshot(decant: Command): void {
  const command = decant
    .command('snapshot')
    .summary('Write one file with everything that decisions need.')
    .description(
      'Write one file with everything that decisions need: objects, prices and the time. Environment variables, secrets and other annotations are left out.',
    );
  addInputOptions(command)
    .addOption(outputFlag(['json', 'yaml']))
    .addHelpText('after', EXAMPLES)
    .action(async (options) => exitWith((await import('./snapshot.ts')).snapshotCommand(options)));
}
