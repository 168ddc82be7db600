import { type Command, InvalidArgumentError } from 'commander';
import { COMPAT_SYSTEMS } from '../../config/compat.ts';
import { LOG_FORMATS, LOG_LEVELS } from '../../operator/log.ts';
import { WEBHOOK_FORMATS } from '../../operator/webhook.ts';
import { addCommand } from '../flags/command.ts';
import { connectionFlags, timeout } from '../flags/connection.ts';
import { type AnyFlag, choice, flag, type OptionsOf, outputFlag } from '../flags/flag.ts';
import { durationFlag, port } from '../flags/flag-values.ts';
import { catalogFlags, PODS_PROXY_HELP } from '../flags/input.ts';
import { workBudget } from '../flags/planning.ts';
import { SCHEDULER_CONFIG_HELP } from '../flags/scheduler-config.ts';
import type { GivenSettings } from '../flags/settings.ts';
import { refuseUnused } from '../flags/unused.ts';

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

const FLAGS = [
  ...connectionFlags(REQUEST_TIMEOUT_SECONDS),
  ...alsoFromEnvironment([
    choice('--mode <mode>', 'observe: decide and report; act: execute the commands', ['observe', 'act'], 'observe'),
  ]),
  flag('--once', 'Make one pass, print what would be done, and exit; writes nothing').conflicts('mode'),
  outputFlag(['text', 'json'], 'Output format of --once'),
  ...alsoFromEnvironment([
    ...catalogFlags(),
    flag('--pods-proxy [true|false]', PODS_PROXY_HELP, trueOrFalse),
    flag(
      '--allow-bundled-spot [true|false]',
      'Act on spot prices of the bundled tables, which are typical prices of the past',
      trueOrFalse,
    ),
    flag(
      '--catalog-refresh <duration>',
      'Refresh interval of the catalog and of Karpenter’s prices',
      timeout,
      60_000,
      '1m',
    ),
    flag(
      '--blockers-interval <duration>',
      'Interval for pricing the blockers (0s turns it off)',
      durationFlag({ least: '0s', most: '24h', example: '1h' }),
      3_600_000,
      '1h',
    ),
    flag(
      '--spot-to-spot [true|false]',
      'Allow spot nodes to be replaced by cheaper spot nodes (default: as Karpenter)',
      trueOrFalse,
    ),
    choice(
      '--preference-policy <policy>',
      'Ignore: preferences of pods (affinity, ScheduleAnyway spread) keep no node (default: as Karpenter)',
      ['Respect', 'Ignore'],
    ),
    flag('--scheduler-config <text>', SCHEDULER_CONFIG_HELP),
    choice('--compat <system>', 'Decide as this version of Karpenter does', COMPAT_SYSTEMS),
    choice(
      '--search <kind>',
      'merged: the best moves found; karpenter: the methods of Karpenter (default: merged, or as --compat)',
      ['merged', 'karpenter'],
    ),
    flag('--work-budget <pods>', 'Stop each pass after this many simulated placements', workBudget),
    flag('--validation-delay <duration>', 'Time between a decision and its validation', timeout, 15_000, '15s'),
    flag(
      '--launch-timeout <duration>',
      'Abandon a command if its new nodes are not ready in this time',
      timeout,
      600_000,
      '10m',
    ),
    flag(
      '--rollout-timeout <duration>',
      'Undo a rollout if the new pod is not ready in this time',
      timeout,
      300_000,
      '5m',
    ),
    flag('--leader-elect [true|false]', 'Act only while holding a Lease', trueOrFalse, true),
    flag('--leader-elect-namespace <name>', 'Namespace of the Lease (default: the pod’s, or kube-system)'),
    flag('--leader-elect-name <name>', 'Name of the Lease', String, 'decant'),
    flag('--bind-address <address>', 'Listen address of /metrics, /healthz and /readyz', String, '127.0.0.1'),
    flag('--metrics-port <port>', 'Port for /metrics (0 picks a free port)', port, 8080),
    flag('--probe-port <port>', 'Separate port for /healthz and /readyz, such as 8081', port),
    flag('--dashboard-port <port>', 'Serve the dashboard on this port, such as 8090 (0 picks a free port)', port),
    flag(
      '--dashboard-bind-address <address>',
      'Listen address of the dashboard; requests then need a token and TLS (default: 127.0.0.1)',
    ),
    choice(
      '--dashboard-auth <kind>',
      'Accepted tokens: token: the one in the file; kubernetes: of users who may list all pods',
      ['token', 'kubernetes'],
      'token',
    ),
    flag('--dashboard-audience <name>', 'With kubernetes: accept only tokens issued for this audience'),
    flag('--dashboard-token-file <file>', 'File with the token: one word of at least 16 characters'),
    flag(
      '--dashboard-tls-cert-file <file>',
      'Certificate of the dashboard, with its chain; read again when it changes',
    ),
    flag('--dashboard-tls-key-file <file>', 'Key of the certificate'),
    flag('--dashboard-plain-http', 'Serve without TLS beyond this machine, for a proxy that encrypts'),
    flag('--webhook-file <file>', 'File with the URL that notifications are sent to'),
    choice('--webhook-format <format>', 'Format of notifications', WEBHOOK_FORMATS, 'json'),
    choice('--log-format <format>', 'Log format; json is one object per line', LOG_FORMATS, 'json'),
    choice('--log-level <level>', 'Minimum level of log lines', LOG_LEVELS, 'info'),
  ]),
];

export type RunOptions = OptionsOf<typeof FLAGS> & GivenSettings;

export function addRun(decant: Command): void {
  addCommand(decant, {
    name: 'run',
    description: 'Run the controller: watch a cluster and, in act mode, consolidate it.',
    flags: FLAGS,
    settings: 'all',
    examples: EXAMPLES,
    async run(options, command) {
      if (options.once) refuseUnused(command, OF_LOOPS, 'is for a controller that keeps running; --once is one pass');
      else refuseUnused(command, ['output'], 'is for --once; a running controller has --log-format');
      if (options.dashboardPort === undefined)
        refuseUnused(command, OF_DASHBOARD, 'is for the dashboard, which needs --dashboard-port');
      if (options.webhookFile === undefined)
        refuseUnused(command, ['webhookFormat'], 'is for notifications, which need --webhook-file');
      return (await import('./run.ts')).runCommand(options);
    },
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

/** For flags that make sense in a Deployment. */
function alsoFromEnvironment<F extends AnyFlag>(flags: readonly F[]): readonly F[] {
  return flags.map((each) => each.env(`DECANT_${each.name().toUpperCase().replaceAll('-', '_')}`));
}

function trueOrFalse(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('true or false');
  return text === 'true';
}
