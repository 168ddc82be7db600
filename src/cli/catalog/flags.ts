import { type Command, Option } from 'commander';
import { decimalFlag } from '../flags/flag-values.ts';

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
    .description('List, show, convert and compare instance types and their prices.')
    .addHelpText('after', EXAMPLES);

  changing(catalog.command('list'))
    .description('List instance types with size and lowest prices, cheapest first.')
    .option('--catalog <name|file>', 'aws/us-east-1, or a file in the format of Decant or KWOK', 'aws/us-east-1')
    .option('--family <names>', 'Only these families, such as m7i,m7g', commaSeparated)
    .option('--arch <name>', 'Only this architecture, such as arm64')
    .option('--max-price <dollars>', 'Only types available at this price per hour or less', dollars)
    .addOption(output('text', 'json', 'yaml'))
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (options) => finish((await import('./catalog.ts')).listCommand(options)));

  changing(catalog.command('show'))
    .description('Show one instance type: resources, and prices by zone.')
    .argument('<type>', 'Instance type, such as m7i.large')
    .option('--catalog <name|file>', 'aws/us-east-1, or a file in the format of Decant or KWOK', 'aws/us-east-1')
    .addOption(output('text', 'json', 'yaml'))
    .addHelpText('after', SHOW_EXAMPLES)
    .action(async (type, options) => finish((await import('./catalog.ts')).showCommand(type, options)));

  changing(catalog.command('import'))
    .description('Convert a catalog to the format of Decant or of the KWOK provider of Karpenter.')
    .argument('<name|file>', 'aws/us-east-1, or a file in the format of Decant or KWOK')
    .addOption(new Option('--to <format>', 'Format to write').choices(['decant', 'kwok']).default('decant'))
    .addOption(output('yaml', 'json'))
    .addHelpText('after', IMPORT_EXAMPLES)
    .action(async (name, options) => finish((await import('./catalog.ts')).importCommand(name, options)));

  catalog
    .command('diff')
    .description('Compare two catalogs: types, prices, availability, allocatable.')
    .argument('<A>', 'aws/us-east-1, or a file in the format of Decant or KWOK')
    .argument('<B>', 'aws/us-east-1, or a file')
    .addOption(output('text', 'json', 'yaml'))
    .option('--exit-code', 'Exit 1 if the catalogs differ')
    .addHelpText('after', DIFF_EXAMPLES)
    .action(async (a, b, options) => finish((await import('./catalog.ts')).diffCommand(a, b, options)));
}

function changing(command: Command): Command {
  return command
    .option('--overlay <file>', 'Price changes by selector, such as savings plans')
    .option('--unavailable <file>', 'Offerings that cannot be launched');
}

/** The first is the default. */
function output(...formats: readonly string[]): Option {
  return new Option('-o, --output <format>', 'Output format').choices(formats).default(formats[0]);
}

async function finish(exitCode: Promise<number>): Promise<void> {
  process.exitCode = await exitCode;
}

function commaSeparated(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

const price = decimalFlag('a number of dollars per hour, such as 0.25', (value) => value >= 0);

function dollars(text: string): number {
  return price(text.replace(/^\$/, ''));
}
