import { setImmediate as turn } from 'node:timers/promises';
import { Controller } from '../../controller/controller.ts';
import { runningKarpenter } from '../../engine/running-karpenter.ts';
import { serverTimeMs } from '../../live/api-client.ts';
import { karpenterDeployments } from '../../live/karpenter-deployment.ts';
import { schemaBeside } from '../../live/karpenter-schema.ts';
import { currentContext } from '../../live/kubeconfig.ts';
import { LiveCluster } from '../../live/live-cluster.ts';
import { accessInWords, accessMissing, accessNeeded } from '../../operator/access-check.ts';
import { Log } from '../../operator/log.ts';
import { Loop } from '../../operator/loop.ts';
import type { FileSourceOptions } from '../dashboard/file-source.ts';
import { LiveSource } from '../dashboard/live-source.ts';
import { UsageError } from '../flags/usage-error.ts';
import { controllerSettings } from '../input/controller-settings.ts';
import { givenKarpenter } from '../input/given-karpenter.ts';
import { liveCatalog } from '../input/live-catalog.ts';
import { connected } from '../input/read-cluster.ts';
import { complain } from '../output/terminal-text.ts';
import { maxReplacementsOf } from '../plan/make-plan.ts';

/** As with `decant run`: prices change. */
const CATALOG_EVERY_MS = 60_000;
/** Longest time that a pass keeps the thread. */
const SLICE_MS = 20;

export interface FollowedCluster {
  readonly source: LiveSource;
  stop(): Promise<void>;
}

/** Follows the cluster of the kubeconfig like a controller in observe mode, and writes nothing at all. */
export async function followCluster(options: FileSourceOptions): Promise<FollowedCluster> {
  const { flags, compat, context, workBudget: work } = options;
  const client = await connected(options);
  const missing = await accessMissing(client, accessNeeded({ mode: 'observe', writes: false }));
  if (missing.length > 0) throw new UsageError(`the API server does not allow you to ${accessInWords(missing)}`);
  const workloads = await karpenterDeployments(client);
  const running = runningKarpenter(workloads, await schemaBeside(client, workloads))?.closest;
  const given = controllerSettings(options, running);
  const settings = { ...given, maxReplacements: maxReplacementsOf(given, flags) };
  const cluster = new LiveCluster({
    client,
    loadCatalog: liveCatalog(options, client, (message) => complain(`warning: ${message}`)),
    catalogEveryMs: CATALOG_EVERY_MS,
    karpenter: givenKarpenter(options),
    autoscalers: settings.rollouts,
    beforeWrite: () => {
      throw new Error('decant serve writes nothing');
    },
  });
  const search = options.search ?? (compat === undefined ? 'merged' : 'karpenter');
  let yieldedMs = 0;
  const clock = () => performance.now();
  const controller = new Controller(cluster, {
    mode: 'observe',
    settings,
    search,
    ...(work === undefined ? {} : { work }),
    clock,
    yieldToOthers: async () => {
      if (clock() - yieldedMs < SLICE_MS) return;
      await turn();
      yieldedMs = clock();
    },
  });
  const source = new LiveSource(
    {
      name: context ?? currentContext(options.kubeconfig) ?? 'the cluster of this pod',
      mode: 'follow',
      settings,
      search,
      work,
      flags,
      compat: compat !== undefined,
    },
    () => controller.decisionView(),
  );
  const loop = new Loop({
    reconcile: () => controller.reconcile(),
    report: async (report) => {
      const view = cluster.view();
      if (view !== undefined) source.commandsSeen(view.commands);
      source.reported(report, view);
    },
    mayReconcile: () => true,
    onFailure: () => {},
    log: new Log({
      level: 'warn',
      format: 'text',
      write: (line) => process.stderr.write(line),
      nowMs: () => Date.now(),
    }),
    wallMs: () => serverTimeMs(client),
    clock,
  });
  cluster.onChange(() => loop.ring());
  cluster.start();
  loop.start();
  return {
    source,
    stop: async () => {
      await loop.stop();
      await cluster.stop();
    },
  };
}
