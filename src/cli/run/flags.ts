import { type Command, InvalidArgumentError, Option } from 'commander';
import { LOG_FORMATS, LOG_LEVELS } from '../../operator/log.ts';
import { addConnectionOptions, milliseconds } from '../flags/connection.ts';
import { wholeNumber } from '../flags/planning.ts';
import { addSwitches, givenSwitches } from '../flags/settings.ts';
import { refuseIdle } from '../flags/unused.ts';

const EXAMPLES = `
It acts only on NodePools in which Karpenter's own consolidation is off
(consolidateAfter: Never, or a budget of 0 for Empty and Underutilized), and in
observe mode on none: there it writes nothing but events and the status of
policies.

Examples:
  decant run           # watch the current context and say what would be done
  decant run --once    # one look, printed
  decant run --mode act --catalog /etc/decant/catalog.yaml
  decant run --mode act --scaledown-utilization-threshold 0.5 --log-format text
  curl -s localhost:8080/metrics | grep ^decant_
`;

/** A server that is hard pressed answers late, and there is time. */
const PATIENT_SECONDS = 30;

export function addRun(decant: Command): void {
  const run = addConnectionOptions(
    decant.command('run').description('The controller: watches a cluster, decides, and in act mode consolidates it.'),
    PATIENT_SECONDS,
  );
  for (const option of ownOptions()) run.addOption(option);
  addSwitches(run);
  run.addHelpText('after', EXAMPLES).action(async (options) => {
    if (options.once) refuseIdle(run, OF_LOOPS, 'is for a controller that runs on; --once looks once');
    else refuseIdle(run, ['output'], 'is for --once; --log-format is for what a controller says');
    if (options.dashboardPort === undefined)
      refuseIdle(
        run,
        ['dashboardBindAddress', 'dashboardTokenFile', 'dashboardAuth'],
        'is for the dashboard, which --dashboard-port asks for',
      );
    const { runCommand } = await import('./run.ts');
    process.exitCode = await runCommand({ ...options, flags: givenSwitches(run) });
  });
}

const OF_LOOPS = [
  ...['catalogRefresh', 'validationDelay', 'launchTimeout', 'logFormat', 'logLevel'],
  ...['leaderElect', 'leaderElectNamespace', 'leaderElectName', 'bindAddress', 'metricsPort'],
  ...['dashboardPort', 'dashboardBindAddress', 'dashboardTokenFile', 'dashboardAuth'],
];

/** All that make sense for a Deployment have a variable of the environment too. */
function ownOptions(): readonly Option[] {
  return [
    option('--mode <mode>', 'observe: decide and report; act: carry it out')
      .choices(['observe', 'act'])
      .default('observe'),
    new Option('--once', 'look once, print what would be done, and end; writes nothing').conflicts('mode'),
    new Option('-o, --output <format>', 'of --once').choices(['text', 'json']).default('text'),
    option('--catalog <name|file>', 'instance types and prices: aws/us-east-1 or a file').default('aws/us-east-1'),
    option('--overlay <file>', 'price changes by selector, such as savings plans'),
    option('--unavailable <file>', 'offerings that cannot be had now'),
    option('--catalog-refresh <duration>', 'read the catalog again so often')
      .argParser(milliseconds)
      .default(600_000, '10m'),
    option('--spot-to-spot [true|false]', 'let spot nodes be replaced by cheaper spot nodes')
      .argParser(trueOrFalse)
      .default(false),
    option('--preference-policy <policy>', 'Ignore: what pods prefer (affinity, ScheduleAnyway spread) keeps no node')
      .choices(['Respect', 'Ignore'])
      .default('Respect'),
    option('--compat <system>', 'every switch as that system has it').choices(['karpenter']),
    option('--search <kind>', 'merged or one pass of stock (default: merged, or as --compat)').choices([
      'merged',
      'karpenter',
    ]),
    option('--work-budget <pods>', 'place so many pods in trials of one pass, at most').argParser(wholeNumber),
    option('--validation-delay <duration>', 'from a decision to the second look at it')
      .argParser(milliseconds)
      .default(15_000, '15s'),
    option('--launch-timeout <duration>', 'for new nodes to be up, before a command is given up')
      .argParser(milliseconds)
      .default(600_000, '10m'),
    option('--leader-elect [true|false]', 'act only while holding a Lease').argParser(trueOrFalse).default(true),
    option('--leader-elect-namespace <name>', 'of the Lease (default: that of our pod, or kube-system)'),
    option('--leader-elect-name <name>', 'of the Lease').default('decant'),
    option('--bind-address <address>', 'for /metrics, /healthz and /readyz').default('127.0.0.1'),
    option('--metrics-port <port>', 'for them; 0 takes any that is free').argParser(port).default(8080),
    option('--dashboard-port <port>', 'serve the dashboard there, such as 8090; 0 takes any that is free').argParser(
      port,
    ),
    option('--dashboard-bind-address <address>', 'serve it beyond this machine; its callers need a token'),
    option('--dashboard-auth <kind>', 'whose token: that of a file, or of anybody who may list all pods of the cluster')
      .choices(['token', 'kubernetes'])
      .default('token'),
    option('--dashboard-token-file <file>', 'the token, one word of at least 16 characters'),
    option('--log-format <format>', 'json: one object a line').choices(LOG_FORMATS).default('json'),
    option('--log-level <level>', 'the least that is said').choices(LOG_LEVELS).default('info'),
  ];
}

function option(flags: string, description: string): Option {
  const made = new Option(flags, description);
  return made.env(`DECANT_${made.name().toUpperCase().replaceAll('-', '_')}`);
}

function port(text: string): number {
  if (!/^[0-9]{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('allowed: 0 to 65535.');
  return Number(text);
}

function trueOrFalse(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('allowed: true or false.');
  return text === 'true';
}
