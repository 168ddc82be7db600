import { type Command, InvalidArgumentError, Option } from 'commander';

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

export function addCatalog(decant: Command): void {
  const catalog = decant
    .command('catalog')
    .description('Instance types and their prices: what decisions are made with.')
    .addHelpText('after', EXAMPLES);

  changing(catalog.command('list'))
    .description('Which types there are, with their size and their cheapest prices, cheapest first.')
    .option('--catalog <name|file>', 'aws/us-east-1, or a file in our or KWOK’s format', 'aws/us-east-1')
    .option('--family <names>', 'of these families, such as m7i,m7g', commaSeparated)
    .option('--arch <name>', 'of this architecture, such as arm64')
    .option('--max-price <dollars>', 'that can be had for at most so many dollars per hour', dollars)
    .addOption(output('text', 'json', 'yaml'))
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (options) => finish((await import('./catalog.ts')).listCommand(options)));

  changing(catalog.command('show'))
    .description('One type: what fits on it, and what it costs where.')
    .argument('<type>', 'its name, such as m7i.large')
    .option('--catalog <name|file>', 'aws/us-east-1, or a file in our or KWOK’s format', 'aws/us-east-1')
    .addOption(output('text', 'json', 'yaml'))
    .addHelpText('after', SHOW_EXAMPLES)
    .action(async (type, options) => finish((await import('./catalog.ts')).showCommand(type, options)));

  changing(catalog.command('import'))
    .description('Any catalog, written out in our format or in that of Karpenter’s KWOK provider.')
    .argument('<name|file>', 'aws/us-east-1, or a file in our or KWOK’s format')
    .addOption(new Option('--to <format>', 'what to write').choices(['decant', 'kwok']).default('decant'))
    .addOption(output('yaml', 'json'))
    .addHelpText('after', IMPORT_EXAMPLES)
    .action(async (name, options) => finish((await import('./catalog.ts')).importCommand(name, options)));

  catalog
    .command('diff')
    .description('What two catalogs do not agree on: types, prices, availability, allocatable.')
    .argument('<A>', 'aws/us-east-1, or a file in our or KWOK’s format')
    .argument('<B>', 'the same')
    .addOption(output('text', 'json', 'yaml'))
    .option('--exit-code', 'exit 1 if they differ')
    .addHelpText('after', DIFF_EXAMPLES)
    .action(async (a, b, options) => finish((await import('./catalog.ts')).diffCommand(a, b, options)));
}

function changing(command: Command): Command {
  return command
    .option('--overlay <file>', 'price changes by selector, such as savings plans')
    .option('--unavailable <file>', 'offerings that cannot be had now');
}

/** The first is the default. */
function output(...formats: readonly string[]): Option {
  return new Option('-o, --output <format>', 'how to print').choices(formats).default(formats[0]);
}

async function finish(exitCode: Promise<number>): Promise<void> {
  process.exitCode = await exitCode;
}

function commaSeparated(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

function dollars(text: string): number {
  const amount = Number(text.replace(/^\$/, ''));
  if (text.trim() !== '' && amount >= 0) return amount;
  throw new InvalidArgumentError('It must be a number of dollars per hour such as 0.25.');
}
