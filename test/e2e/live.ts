import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCatalog } from '../../src/catalog/load.ts';
import type { ClusterView } from '../../src/controller/cluster-port.ts';
import { CRDS } from '../../src/crd/crds.ts';
import { type ApiClient, connect } from '../../src/live/api-client.ts';
import { LiveCluster, type LiveClusterOptions } from '../../src/live/live-cluster.ts';
import type { Cluster } from './cluster.ts';
import { establishedCrds } from './control-plane/karpenter-objects.ts';
import { type Waiting, waitFor } from './control-plane/readiness.ts';

/** Puts our kinds into the cluster. */
export async function installDecant(cluster: Cluster): Promise<void> {
  await cluster.apply(...CRDS);
  const names = CRDS.map(({ metadata }) => metadata.name);
  await establishedCrds((...args) => cluster.plane.kubectl(args), ...names);
  // Established is not yet ready: for a moment it says that storage is being initialized.
  for (const name of names)
    await cluster.until(`${name} answers`, () => cluster.plane.kubectl(['get', name]).catch(() => undefined));
}

/** Of an administrator; `server`: instead of the API server's own address, as that of a proxy. */
export async function clientOf(cluster: Cluster, server = cluster.plane.server): Promise<ApiClient> {
  const file = join(cluster.plane.folder, `client-${new URL(server).port}.kubeconfig`);
  writeFileSync(file, readFileSync(cluster.plane.kubeconfig, 'utf8').replaceAll(cluster.plane.server, server));
  return connect({ kubeconfig: file });
}

/** The controller's port to a cluster of a test. */
export class Live implements AsyncDisposable {
  readonly port: LiveCluster;

  private constructor(port: LiveCluster) {
    this.port = port;
  }

  static async start(cluster: Cluster, options: Partial<LiveClusterOptions> = {}): Promise<Live> {
    const client = options.client ?? (await clientOf(cluster));
    const { instanceTypes } = cluster.plane;
    const port = new LiveCluster({ loadCatalog: () => loadCatalog({ name: instanceTypes }), ...options, client });
    port.start();
    return new Live(port);
  }

  /** Waits for a view of which this holds. */
  async until(
    what: string,
    holds: (view: ClusterView) => boolean = () => true,
    waiting?: Waiting,
  ): Promise<ClusterView> {
    return waitFor(
      what,
      async () => {
        const view = this.port.view();
        return view !== undefined && holds(view) && view;
      },
      {
        onTimeout: () => JSON.stringify({ ...this.port.health, unsynced: [...this.port.health.unsynced] }),
        ...waiting,
      },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.port.stop();
  }
}
