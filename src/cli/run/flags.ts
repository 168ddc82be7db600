import { type Command, InvalidArgumentError, Option } from 'commander';
import { COMPAT_SYSTEMS } from '../../config/compat.ts';
import { LOG_FORMATS, LOG_LEVELS } from '../../operator/log.ts';
import { WEBHOOK_FORMATS } from '../../operator/webhook.ts';
import { addConnectionOptions, timeout } from '../flags/connection.ts';
import { durationFlag, outputFlag, port } from '../flags/flag-values.ts';
import { workBudget } from '../flags/planning.ts';
import { SCHEDULER_CONFIG_HELP } from '../flags/scheduler-config.ts';
import { addSettingFlags, givenSettings } from '../flags/settings.ts';
import { refuseUnused } from '../flags/unused.ts';
import { exitWith } from '../output/exit.ts';

const EXAMPLES = `
In act mode, the controller changes only NodePools in which Karpenter's own
consolidation is off (consolidateAfter: Never, or a budget of 0 for Empty and
Underutilized). In observe mode, it writes only events and the status of
policies.

Examples:
  decant run           # observe the current context and report
  decant run --once    # one pass, printed
  decant run --mode act --catalog /etc/decant/catalog.yaml
  decant run --mode act --scaledown-utilization-threshold 0.5 --log-format text
  curl -s localhost:8080/metrics | grep ^decant_
`;

/** A controller can wait longer than a user for a busy API server. */
const REQUEST_TIMEOUT_SECONDS = 30;

export function addRun(decant: Command): void {
  const run = addConnectionOptions(
    decant.command('run').description('Run the controller: watch a cluster and, in act mode, consolidate it.'),
    REQUEST_TIMEOUT_SECONDS,
  );
  for (const option of ownOptions()) run.addOption(option);
  addSettingFlags(run);
  run.addHelpText('after', EXAMPLES).action(async (options) => {
    if (options.once) refuseUnused(run, OF_LOOPS, 'is for a controller that keeps running; --once is one pass');
    else refuseUnused(run, ['output'], 'is for --once; a running controller has --log-format');
    if (options.dashboardPort === undefined)
      refuseUnused(run, OF_DASHBOARD, 'is for the dashboard, which needs --dashboard-port');
    if (options.webhookFile === undefined)
      refuseUnused(run, ['webhookFormat'], 'is for notifications, which need --webhook-file');
    await exitWith((await import('./run.ts')).runCommand({ ...options, flags: givenSettings(run) }));
  });
}

const OF_DASHBOARD = [
  ...['dashboardBindAddress', 'dashboardTokenFile', 'dashboardAuth', 'dashboardAudience'],
  ...['dashboardTlsCertFile', 'dashboardTlsKeyFile', 'dashboardPlainHttp'],
];
const OF_LOOPS = [
  ...[
    'catalogRefresh',
    'blockersInterval',
    'validationDelay',
    'launchTimeout',
    'rolloutTimeout',
    'logFormat',
    'logLevel',
  ],
  ...['leaderElect', 'leaderElectNamespace', 'leaderElectName', 'bindAddress', 'metricsPort', 'probePort'],
  ...['dashboardPort', ...OF_DASHBOARD, 'webhookFile', 'webhookFormat'],
];

/** Flags that make sense in a Deployment can also be set by an environment variable. */
function ownOptions(): readonly Option[] {
  return [
    option('--mode <mode>', 'observe: decide and report; act: execute the commands')
      .choices(['observe', 'act'])
      .default('observe'),
    new Option('--once', 'Make one pass, print what would be done, and exit; writes nothing').conflicts('mode'),
    outputFlag(['text', 'json'], 'Output format of --once'),
    option(
      '--catalog <name|file>',
      'Instance types and prices: karpenter, a bundled table such as aws/eu-west-1, or a file (default: from the cluster)',
    ),
    option('--prices <file|url>', 'Metrics of Karpenter to take prices and availability from'),
    option(
      '--pods-proxy [true|false]',
      'Ask the leader of Karpenter for its prices through the API server’s proxy to pods',
    ).argParser(trueOrFalse),
    option(
      '--allow-bundled-spot [true|false]',
      'Act on spot prices of the bundled tables, which are typical prices of the past',
    ).argParser(trueOrFalse),
    option('--zones <names>', 'Zones that nodes can be launched in (default: from the cluster)'),
    option('--overlay <file>', 'Price changes by selector, such as savings plans'),
    option('--unavailable <file>', 'Offerings that cannot be launched'),
    option('--catalog-refresh <duration>', 'Interval for reading the catalog and Karpenter’s prices again')
      .argParser(timeout)
      .default(60_000, '1m'),
    option('--blockers-interval <duration>', 'Time between trials of what each blocker costs (0s: no trials)')
      .argParser(durationFlag({ least: '0s', most: '24h', example: '1h' }))
      .default(3_600_000, '1h'),
    option(
      '--spot-to-spot [true|false]',
      'Allow spot nodes to be replaced by cheaper spot nodes (default: as Karpenter)',
    ).argParser(trueOrFalse),
    option(
      '--preference-policy <policy>',
      'Ignore: preferences of pods (affinity, ScheduleAnyway spread) keep no node (default: as Karpenter)',
    ).choices(['Respect', 'Ignore']),
    option('--scheduler-config <text>', SCHEDULER_CONFIG_HELP),
    option('--compat <system>', 'Use the settings of this system').choices(COMPAT_SYSTEMS),
    option('--search <kind>', 'merged, or the methods of Karpenter (default: merged, or as --compat)').choices([
      'merged',
      'karpenter',
    ]),
    option('--work-budget <pods>', 'Stop each pass after this many simulated placements').argParser(workBudget),
    option('--validation-delay <duration>', 'Time between a decision and its validation')
      .argParser(timeout)
      .default(15_000, '15s'),
    option('--launch-timeout <duration>', 'Abandon a command if its new nodes are not ready in this time')
      .argParser(timeout)
      .default(600_000, '10m'),
    option('--rollout-timeout <duration>', 'Undo a rollout if the new pod is not ready in this time')
      .argParser(timeout)
      .default(300_000, '5m'),
    option('--leader-elect [true|false]', 'Act only while holding a Lease').argParser(trueOrFalse).default(true),
    option('--leader-elect-namespace <name>', 'Namespace of the Lease (default: the pod’s, or kube-system)'),
    option('--leader-elect-name <name>', 'Name of the Lease').default('decant'),
    option('--bind-address <address>', 'Listen address of /metrics, /healthz and /readyz').default('127.0.0.1'),
    option('--metrics-port <port>', 'Port for /metrics (0 picks a free port)').argParser(port).default(8080),
    option('--probe-port <port>', 'Separate port for /healthz and /readyz, such as 8081').argParser(port),
    option('--dashboard-port <port>', 'Serve the dashboard on this port, such as 8090 (0 picks a free port)').argParser(
      port,
    ),
    option(
      '--dashboard-bind-address <address>',
      'Listen address of the dashboard; requests then need a token and TLS (default: 127.0.0.1)',
    ),
    option(
      '--dashboard-auth <kind>',
      'Accepted tokens: token: the one in the file; kubernetes: of users who may list all pods',
    )
      .choices(['token', 'kubernetes'])
      .default('token'),
    option('--dashboard-audience <name>', 'With kubernetes: accept only tokens issued for this audience'),
    option('--dashboard-token-file <file>', 'File with the token: one word of at least 16 characters'),
    option(
      '--dashboard-tls-cert-file <file>',
      'Certificate of the dashboard, with its chain; read again when it changes',
    ),
    option('--dashboard-tls-key-file <file>', 'Key of the certificate'),
    option('--dashboard-plain-http', 'Serve without TLS beyond this machine, for a proxy that encrypts'),
    option('--webhook-file <file>', 'File with the URL that notifications are sent to'),
    option('--webhook-format <format>', 'Format of notifications').choices(WEBHOOK_FORMATS).default('json'),
    option('--log-format <format>', 'Log format; json is one object per line').choices(LOG_FORMATS).default('json'),
    option('--log-level <level>', 'Minimum level of log lines').choices(LOG_LEVELS).default('info'),
  ];
}

function option(flags: string, description: string): Option {
  const made = new Option(flags, description);
  return made.env(`DECANT_${made.name().toUpperCase().replaceAll('-', '_')}`);
}

function trueOrFalse(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('true or false');
  return text === 'true';
}
