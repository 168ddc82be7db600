import { setTimeout as sleep } from 'node:timers/promises';
import { loadCatalog } from '../../catalog/load.ts';
import { type ApiClient, ApiError } from '../../live/api-client.ts';
import type { LiveCluster, LiveClusterOptions } from '../../live/live-cluster.ts';
import { listNodeClasses } from '../../live/node-classes.ts';
import type { InputFlags } from '../flags/input.ts';
import { UsageError } from '../flags/usage-error.ts';
import { type FoundPrices, karpenterPrices, type PriceOptions } from './karpenter-prices.ts';

export type LiveCatalogOptions = PriceOptions & Pick<InputFlags, 'zones' | 'overlay' | 'unavailable'>;

/** Region, zones and sizes are read from the cluster each time, because they change. */
export function liveCatalog(
  options: LiveCatalogOptions,
  client: ApiClient,
  warn: (message: string) => void,
): LiveClusterOptions['loadCatalog'] {
  const { catalog: name, overlay, unavailable, zones } = options;
  /** Karpenter's last prices: preferred to a table unless too old. */
  let last: FoundPrices['karpenter'];
  let told: ReadonlySet<string> = new Set();
  return async (cluster) => {
    if (cluster === undefined) return undefined;
    const [nodeClasses, { karpenter: found, notices }] = await Promise.all([
      listNodeClasses(client),
      karpenterPrices(last === undefined ? options : { ...options, catalog: undefined }, client),
    ]);
    for (const notice of notices) if (!told.has(notice)) warn(notice);
    told = new Set(notices);
    if (last === undefined || (found !== undefined && 'prices' in found)) last = found;
    return loadCatalog({
      name,
      overlay,
      unavailable,
      karpenter: last,
      zones: zones?.split(',').map((zone) => zone.trim()),
      cluster: { ...cluster, nodeClasses },
    });
  };
}

const PATIENCE_MS = 120_000;

/** Resolves when the cluster has been listed. Throws where that will not happen. */
export async function synced(cluster: LiveCluster): Promise<void> {
  const untilMs = performance.now() + PATIENCE_MS;
  while (cluster.view() === undefined) {
    const { forbidden, unsynced } = cluster.health;
    if (forbidden.length > 0) throw new UsageError(forbidden.join('; '));
    if (performance.now() > untilMs) {
      const waiting = [...unsynced].map(([kind, why]) => `${kind}: ${why}`).join('; ');
      throw new ApiError(`timed out after ${PATIENCE_MS / 1000} s waiting for ${waiting}`, {
        status: 0,
        reason: 'Timeout',
      });
    }
    await sleep(50);
  }
}
