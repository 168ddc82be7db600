import type { ControllerSettings } from '../../config/controller-settings.ts';
import type { ClusterView } from '../../controller/cluster-port.ts';
import type { DecisionView } from '../../controller/controller.ts';
import type { ReconcileReport } from '../../controller/report.ts';
import type { ApiClient } from '../../live/api-client.ts';
import { TokenReviewer } from '../../live/token-review.ts';
import { Dashboard } from '../../web/server/dashboard.ts';
import type { Admit } from '../../web/server/guard.ts';
import { isLoopback } from '../../web/server/web-server.ts';
import { LiveSource } from '../dashboard/live-source.ts';
import { type ListenOptions, readToken, type Served, serveDashboard, tlsOf } from '../dashboard/serve-dashboard.ts';
import { UsageError } from '../flags/usage-error.ts';
import type { RunOptions } from './flags.ts';

const FLAG = '--dashboard-';

/** The dashboard of a running controller. */
export class RunDashboard {
  private readonly source: LiveSource;
  private readonly listen: ListenOptions;

  constructor(
    options: RunOptions,
    settings: ControllerSettings,
    client: ApiClient,
    decisionView: () => DecisionView | undefined,
  ) {
    const { mode, flags, compat, context, workBudget: work } = options;
    const search = options.search ?? (compat === undefined ? 'merged' : 'karpenter');
    const name = context ?? 'live cluster';
    this.source = new LiveSource(
      { name, mode, settings, search, work, flags, compat: compat !== undefined },
      decisionView,
    );
    this.listen = {
      port: options.dashboardPort,
      ...addressOf(options),
      ...(options.dashboardAuth === 'kubernetes'
        ? { admit: reviewed(client, options.dashboardAudience) }
        : { tokenFile: options.dashboardTokenFile }),
    };
  }

  reported(report: ReconcileReport, view: ClusterView | undefined): void {
    this.source.reported(report, view);
  }

  open(): Promise<Served> {
    return serveDashboard(new Dashboard(this.source), this.listen, FLAG);
  }
}

function addressOf(options: RunOptions): ListenOptions {
  return {
    bindAddress: options.dashboardBindAddress,
    tlsCertFile: options.dashboardTlsCertFile,
    tlsKeyFile: options.dashboardTlsKeyFile,
    plainHttp: options.dashboardPlainHttp,
  };
}

function reviewed(client: ApiClient, audience: string | undefined): Admit {
  const reviewer = new TokenReviewer(client, () => performance.now(), audience);
  return (bearer) => reviewer.review(bearer);
}

/** Checks its flags before anything else. Throws UsageError or InputError. */
export function checkDashboardOptions(options: RunOptions): void {
  const { dashboardBindAddress: address, dashboardAuth: auth, dashboardTokenFile: file } = options;
  if (auth !== 'kubernetes' && options.dashboardAudience !== undefined)
    throw new UsageError(`${FLAG}audience is for ${FLAG}auth kubernetes`);
  if (auth === 'kubernetes' && file !== undefined)
    throw new UsageError(`${FLAG}auth kubernetes needs no ${FLAG}token-file: give one or the other`);
  // A generated one would have to be logged, and logs are less private than tokens.
  if (address !== undefined && !isLoopback(address) && auth === 'token' && file === undefined)
    throw new UsageError(`${FLAG}bind-address ${address}: also needs ${FLAG}token-file, or ${FLAG}auth kubernetes`);
  if (file !== undefined) readToken(file, `${FLAG}token-file ${file}`);
  tlsOf(addressOf(options), FLAG);
}
