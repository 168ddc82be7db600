import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { loadCatalog } from '../../catalog/load.ts';
import type { ControllerSettings } from '../../config/controller-settings.ts';
import { inputError } from '../../config/input-error.ts';
import type { DecisionView } from '../../controller/controller.ts';
import { runningKarpenter } from '../../engine/running-karpenter.ts';
import { type ApiClient, type ApiRequest, connect } from '../../live/api-client.ts';
import { karpenterDeployments } from '../../live/karpenter-deployment.ts';
import { schemaBeside } from '../../live/karpenter-schema.ts';
import { packageVersion } from '../../live/package-version.ts';
import { accessInWords, accessMissing, accessNeeded } from '../../operator/access-check.ts';
import { Log } from '../../operator/log.ts';
import { Operator, type OperatorOptions } from '../../operator/operator.ts';
import { karpenterInWords } from '../../report/plan-words.ts';
import { UsageError } from '../flags/usage-error.ts';
import { controllerSettings } from '../input/controller-settings.ts';
import { givenKarpenter } from '../input/given-karpenter.ts';
import { karpenterNotices } from '../input/karpenter-notices.ts';
import { liveCatalog } from '../input/live-catalog.ts';
import { EXIT } from '../output/exit.ts';
import { complain } from '../output/terminal-text.ts';
import type { RunDashboard } from './dashboard.ts';
import type { RunOptions } from './flags.ts';

/** The URL is read from a file, because it is a credential: flags are visible to all users who list processes. */
function webhookOf({ webhookFile, webhookFormat: format }: RunOptions): OperatorOptions['webhook'] {
  if (webhookFile === undefined) return undefined;
  let url: string;
  try {
    url = readFileSync(webhookFile, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`${webhookFile}: ${(error as Error).message}`);
  }
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return { url, format };
  const allowed = 'a file with one http or https URL, such as https://hooks.example.com/T0';
  throw inputError([{ object: 'command line', field: '--webhook-file', value: webhookFile, allowed }]);
}

/** Runs until a signal, or until it cannot continue. */
export async function runCommand(options: RunOptions): Promise<number> {
  // Reports invalid flags and files before it connects.
  const { steer, rollouts } = controllerSettings(options);
  const name = options.catalog === 'karpenter' ? undefined : options.catalog;
  await loadCatalog({ name, overlay: options.overlay, unavailable: options.unavailable });
  const webhook = webhookOf(options);
  if (!options.once) await checkListening(options);
  const client = await connect(options);
  const log = new Log({
    level: options.logLevel,
    format: options.logFormat,
    write: (line) => process.stderr.write(line),
    nowMs: () => Date.now(),
  });
  const warn = (message: string) => (options.once ? complain(`warning: ${message}`) : log.warn(message));
  const leaseNamespace = options.leaderElect && !options.once ? namespaceOf(options) : undefined;
  const reviews = options.dashboardPort !== undefined && options.dashboardAuth === 'kubernetes';
  const needed = accessNeeded({
    mode: options.mode,
    leaseNamespace,
    leaseName: options.leaderElectName,
    reviews,
    steer,
    rollouts,
    writes: !options.once,
  });
  const missing = await accessMissing(client, needed);
  if (missing.length > 0) throw new UsageError(`the API server does not allow Decant to ${accessInWords(missing)}`);
  const workloads = await karpenterDeployments(client);
  const karpenterSchema = await schemaBeside(client, workloads);
  const running = runningKarpenter(workloads, karpenterSchema);
  const settings = controllerSettings(options, running?.closest);
  // The notices below name an unknown version.
  const karpenter = running?.isUnknown === false ? karpenterInWords({ karpenter: running }) : undefined;
  if (karpenter !== undefined) options.once ? complain(karpenter) : log.info(karpenter);
  for (const notice of karpenterNotices({ workloads, karpenterSchema }, options.compat !== undefined)) warn(notice);
  const common = {
    client,
    settings,
    search: options.search ?? (options.compat === undefined ? undefined : 'karpenter'),
    work: options.workBudget,
    allowBundledSpot: options.allowBundledSpot === true,
    karpenter: givenKarpenter(options),
    loadCatalog: liveCatalog(options, client, warn),
  };
  if (options.once) {
    const { runOnce } = await import('./once.ts');
    return runOnce({ ...common, output: options.output });
  }
  const ending = new Ending();
  const dashboard = await dashboardFor(options, settings, client, () => operator.decisionView());
  const operator: Operator = new Operator({
    ...common,
    mode: options.mode,
    times: {
      validationMs: options.validationDelay,
      launchTimeoutMs: options.launchTimeout,
      rolloutTimeoutMs: options.rolloutTimeout,
    },
    catalogEveryMs: options.catalogRefresh,
    blockersEveryMs: options.blockersInterval,
    ...(leaseNamespace === undefined ? {} : { lease: { namespace: leaseNamespace, name: options.leaderElectName } }),
    identity: `${hostname()}_${randomUUID()}`,
    version: packageVersion(),
    ...(webhook === undefined ? {} : { webhook }),
    log,
    onFatal: (why) => ending.come({ exitCode: EXIT.badInput, why }),
    ...(dashboard === undefined ? {} : { onReport: (report, view) => dashboard.reported(report, view) }),
    ...crashHook(),
  });
  const served = await dashboard?.open();
  if (served !== undefined) log.info('serving the dashboard', { url: served.url });
  const { bindAddress, metricsPort, probePort } = options;
  const port = await operator.start(metricsPort, bindAddress, probePort).catch(async (error: Error) => {
    await served?.close();
    throw new UsageError(
      `--bind-address ${options.bindAddress} --metrics-port ${options.metricsPort}: ${error.message}`,
    );
  });
  log.info('running', { mode: options.mode, metrics: `http://${options.bindAddress}:${port}/metrics` });
  const { exitCode, why } = await ending.awaited;
  await served?.close();
  if (exitCode === EXIT.ok) log.info('shutting down', { signal: why });
  else log.error('fatal error, exiting', { error: why });
  await operator.stop();
  return exitCode;
}

/** Loaded on demand. */
async function dashboardFor(
  options: RunOptions,
  settings: ControllerSettings,
  client: ApiClient,
  decisionView: () => DecisionView | undefined,
): Promise<RunDashboard | undefined> {
  if (options.dashboardPort === undefined) return undefined;
  const { RunDashboard } = await import('./dashboard.ts');
  return new RunDashboard(options, settings, client, decisionView);
}

/** Reports invalid flags before it connects. */
async function checkListening(options: RunOptions): Promise<void> {
  const { bindAddress, metricsPort, probePort, dashboardPort, dashboardBindAddress = '127.0.0.1' } = options;
  const { checkPorts } = await import('./check-ports.ts');
  const flags = { port: `--metrics-port ${metricsPort}`, address: `--bind-address ${bindAddress}` };
  const own = [{ port: metricsPort, address: bindAddress, flags }];
  if (probePort !== undefined)
    own.push({ port: probePort, address: bindAddress, flags: { ...flags, port: `--probe-port ${probePort}` } });
  if (dashboardPort === undefined) return checkPorts(own);
  const { checkDashboardOptions } = await import('./dashboard.ts');
  checkDashboardOptions(options);
  const dashboard = {
    port: `--dashboard-port ${dashboardPort}`,
    address: `--dashboard-bind-address ${dashboardBindAddress}`,
  };
  await checkPorts([...own, { port: dashboardPort, address: dashboardBindAddress, flags: dashboard }]);
}

const POD_NAMESPACE = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

function namespaceOf({ leaderElectNamespace }: RunOptions): string {
  if (leaderElectNamespace !== undefined) return leaderElectNamespace;
  try {
    return readFileSync(POD_NAMESPACE, 'utf8').trim() || 'kube-system';
  } catch {
    return 'kube-system';
  }
}

interface End {
  readonly exitCode: number;
  readonly why: string;
}

/** Ends at a signal, or when the process cannot continue. A second signal exits at once. */
class Ending {
  readonly awaited: Promise<End>;
  private readonly resolve: (end: End) => void;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<End>();
    this.awaited = promise;
    this.resolve = resolve;
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => this.come({ exitCode: EXIT.ok, why: signal }));
  }

  come(end: End): void {
    // A second signal does not wait.
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.removeAllListeners(signal);
    this.resolve(end);
  }
}

/** Not writes of commands, so that tests can count those alone. */
const BOOKKEEPING = /\/(leases|events|consolidationpolicies|selfsubjectaccessreviews)(\/|$)/;

/** For crash tests: DECANT_CRASH_AFTER_WRITES=3 kills the process right after the answer to its third write. */
function crashHook(): Pick<OperatorOptions, 'onWritten'> {
  let left = Number(process.env.DECANT_CRASH_AFTER_WRITES);
  if (!(left > 0)) return {};
  const onWritten = ({ path }: ApiRequest) => {
    if (!BOOKKEEPING.test(path) && --left === 0) process.kill(process.pid, 'SIGKILL');
  };
  return { onWritten };
}
