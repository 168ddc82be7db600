import type { Command } from 'commander';
import { addCommand } from '../flags/command.ts';
import { connectionFlags } from '../flags/connection.ts';
import { flag, type OptionsOf, outputFlag } from '../flags/flag.ts';

const EXAMPLES = `
Examples:
  decant version
  decant version --client
  decant version -o json
`;

const FLAGS = [
  flag('--client', 'Version of Decant only; does not contact the cluster'),
  ...connectionFlags(),
  outputFlag(['text', 'json', 'yaml']),
];

export type VersionOptions = OptionsOf<typeof FLAGS>;

export function addVersion(decant: Command): void {
  addCommand(decant, {
    name: 'version',
    description: 'Show the versions of Decant, Kubernetes, Karpenter and their custom resources.',
    flags: FLAGS,
    examples: EXAMPLES,
    run: async (options) => (await import('./version.ts')).versionCommand(options),
  });
}
