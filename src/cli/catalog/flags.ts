import type { Command } from 'commander';
import { addCommand } from '../flags/command.ts';
import { choice, flag, type OptionsOf, outputFlag } from '../flags/flag.ts';
import { decimalFlag } from '../flags/flag-values.ts';
import { overlayFlags } from '../flags/input.ts';

const EXAMPLES = `
Examples:
  decant catalog list --family m7i,m7g --max-price 0.5
  decant catalog show m7i.large
  decant catalog import instance_types.json > catalog.yaml
  decant catalog diff aws/us-east-1 catalog.yaml
`;
const LIST_EXAMPLES = `
Examples:
  decant catalog list --family m7i,m7g --max-price 0.5
  decant catalog list --catalog types.yaml --overlay savings-plan.yaml -o json
`;
const SHOW_EXAMPLES = `
Examples:
  decant catalog show m7i.large
  decant catalog show m7i.large --overlay savings-plan.yaml
`;
const IMPORT_EXAMPLES = `
Examples:
  decant catalog import instance_types.json > catalog.yaml
  decant catalog import aws/us-east-1 --overlay savings-plan.yaml --to kwok \\
    -o json > instance_types.json
`;
const DIFF_EXAMPLES = `
Examples:
  decant catalog diff aws/us-east-1 catalog.yaml
  decant catalog diff last-week.yaml today.yaml --exit-code
`;

const price = decimalFlag('a number of dollars per hour, such as 0.25', (value) => value >= 0);

const CATALOG = flag(
  '--catalog <name|file>',
  'aws/us-east-1, or a file in the format of Decant or KWOK',
  String,
  'aws/us-east-1',
);
const OUTPUT = outputFlag(['text', 'json', 'yaml']);
const LIST_FLAGS = [
  ...overlayFlags(),
  CATALOG,
  flag('--family <names>', 'Only these families, such as m7i,m7g', (text) =>
    text.split(',').map((part) => part.trim()),
  ),
  flag('--arch <name>', 'Only this architecture, such as arm64'),
  flag('--max-price <dollars>', 'Only types available at this price per hour or less', (text) =>
    price(text.replace(/^\$/, '')),
  ),
  OUTPUT,
];
const SHOW_FLAGS = [...overlayFlags(), CATALOG, OUTPUT];
const IMPORT_FLAGS = [
  ...overlayFlags(),
  choice('--to <format>', 'Format to write', ['decant', 'kwok'], 'decant'),
  outputFlag(['yaml', 'json']),
];
const DIFF_FLAGS = [OUTPUT, flag('--exit-code', 'Exit 1 if the catalogs differ')];

export type ListOptions = OptionsOf<typeof LIST_FLAGS>;
export type ShowOptions = OptionsOf<typeof SHOW_FLAGS>;
export type ImportOptions = OptionsOf<typeof IMPORT_FLAGS>;
export type CatalogDiffOptions = OptionsOf<typeof DIFF_FLAGS>;

export function addCatalog(decant: Command): void {
  const catalog = decant
    .command('catalog')
    .description('List, show, convert and compare instance types and their prices.')
    .addHelpText('after', EXAMPLES);
  addCommand(catalog, {
    name: 'list',
    description: 'List instance types with size and lowest prices, cheapest first.',
    flags: LIST_FLAGS,
    examples: LIST_EXAMPLES,
    run: async (options) => (await import('./catalog.ts')).listCommand(options),
  });
  addCommand(catalog, {
    name: 'show',
    arguments: { '<type>': 'Instance type, such as m7i.large' },
    description: 'Show one instance type: resources, and prices by zone.',
    flags: SHOW_FLAGS,
    examples: SHOW_EXAMPLES,
    run: async (options, { args }) => (await import('./catalog.ts')).showCommand(args[0], options),
  });
  addCommand(catalog, {
    name: 'import',
    arguments: { '<name|file>': 'aws/us-east-1, or a file in the format of Decant or KWOK' },
    description: 'Convert a catalog to the format of Decant or of the KWOK provider of Karpenter.',
    flags: IMPORT_FLAGS,
    examples: IMPORT_EXAMPLES,
    run: async (options, { args }) => (await import('./catalog.ts')).importCommand(args[0], options),
  });
  addCommand(catalog, {
    name: 'diff',
    arguments: {
      '<A>': 'aws/us-east-1, or a file in the format of Decant or KWOK',
      '<B>': 'aws/us-east-1, or a file',
    },
    description: 'Compare two catalogs: types, prices, availability, allocatable.',
    flags: DIFF_FLAGS,
    examples: DIFF_EXAMPLES,
    run: async (options, { args }) => (await import('./catalog.ts')).diffCatalogsCommand(args[0], args[1], options),
  });
}
