import type { Command } from 'commander';
import { addCommand } from '../flags/command.ts';
import { fileFlag, type OptionsOf, outputFlag } from '../flags/flag.ts';
import type { GivenSettings } from '../flags/settings.ts';

const EXAMPLES = `
Examples:
  kubectl get nodepools -o json | decant validate -f -
  decant validate -f pools/ -o json
  decant validate -f nodepool.yaml --scaledown-utilization-threshold 0.6
`;

const FLAGS = [
  fileFlag('NodePools and ConsolidationPolicies: file, folder or - for stdin (repeatable)'),
  outputFlag(['text', 'json', 'yaml']),
];

export type ValidateOptions = OptionsOf<typeof FLAGS> & GivenSettings;

export function addValidate(decant: Command): void {
  addCommand(decant, {
    name: 'validate',
    summary: 'Check disruption blocks and settings.',
    description:
      'Check disruption blocks and settings. Lists every invalid value with what is allowed, and exits 1 if there is one.',
    flags: FLAGS,
    settings: 'all',
    examples: EXAMPLES,
    run: async (options) => (await import('./validate.ts')).validateCommand(options),
  });
}
