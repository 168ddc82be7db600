import type { Command } from 'commander';
import { addCommand } from '../flags/command.ts';
import { type OptionsOf, outputFlag } from '../flags/flag.ts';
import { inputFlags } from '../flags/input.ts';
import { KUBECTL_GET } from '../input/kubectl-dump.ts';

const EXAMPLES = `
Examples:
  decant snapshot --context production > s.json
  ${KUBECTL_GET} |
    decant snapshot -f - > s.json
  decant snapshot -f cluster/ --overlay savings-plan.yaml > s.json
  decant plan -f s.json
`;

const FLAGS = [...inputFlags(), outputFlag(['json', 'yaml'])];

export type SnapshotOptions = OptionsOf<typeof FLAGS>;

export function addSnapshot(decant: Command): void {
  addCommand(decant, {
    name: 'snapshot',
    summary: 'Write one file with everything that decisions need.',
    description:
      'Write one file with everything that decisions need: objects, prices and the time. Environment variables, secrets and other annotations are left out.',
    flags: FLAGS,
    examples: EXAMPLES,
    run: async (options) => (await import('./snapshot.ts')).snapshotCommand(options),
  });
}
