import { stat } from 'node:fs/promises';
import { type MetricsReading, readKarpenterMetrics } from '../../catalog/karpenter-metrics.ts';
import { STDIN, textOf } from '../../kube/read/input-paths.ts';
import type { ApiClient } from '../../live/api-client.ts';
import type { KarpenterAnswer } from '../../live/karpenter-prices.ts';
import type { InputFlags } from '../flags/input.ts';
import { UsageError } from '../flags/usage-error.ts';

export type PriceOptions = Pick<InputFlags, 'catalog' | 'prices' | 'podsProxy' | 'kubeconfig' | 'context'>;

export interface FoundPrices {
  readonly karpenter?: MetricsReading;
  readonly notices: readonly string[];
}

/** Karpenter's prices: from where the options say, else from the cluster behind `client`, unless a catalog is named. */
export async function karpenterPrices(options: PriceOptions, client?: ApiClient): Promise<FoundPrices> {
  const { catalog, prices } = options;
  const isNamed = catalog !== undefined && catalog !== 'karpenter';
  if (isNamed && prices !== undefined) throw new UsageError('--prices is for --catalog karpenter, which it implies');
  if (isNamed || (prices === undefined && client === undefined)) return { notices: [] };
  const answer = prices === undefined ? await asked(options, client as ApiClient) : await given(prices);
  const why = 'unreachable' in answer ? answer.unreachable : 'missing' in answer ? MISSING[answer.missing] : undefined;
  const isWanted = catalog === 'karpenter' || prices !== undefined;
  if (why !== undefined && isWanted) throw new UsageError(`no prices from Karpenter: ${why}`);
  // Only Karpenter of AWS exports prices: elsewhere their absence is no news.
  const isNews = why !== undefined && !('missing' in answer && answer.missing === 'absent');
  const notices = isNews ? [`no prices from Karpenter, bundled ones are used: ${why}`] : [];
  return 'unreachable' in answer ? { notices } : { karpenter: answer, notices };
}

const MISSING = {
  follower: 'no replica that responded is the leader',
  incomplete: 'its metrics are incomplete: offerings lack a price or their availability',
  absent: 'its metrics have no offerings; only the AWS provider exports them, and only the leader of its replicas',
};

async function asked({ podsProxy, kubeconfig, context }: PriceOptions, client: ApiClient): Promise<KarpenterAnswer> {
  const { askKarpenter } = await import('../../live/karpenter-prices.ts');
  const inCluster =
    kubeconfig === undefined && context === undefined && process.env.KUBERNETES_SERVICE_HOST !== undefined;
  return askKarpenter({ client, inCluster, podsProxy: podsProxy === true });
}

async function given(source: string): Promise<KarpenterAnswer> {
  if (/^https?:\/\//.test(source)) {
    const { askUrl } = await import('../../live/karpenter-prices.ts');
    return askUrl(source);
  }
  const text = await textOf(source);
  return readKarpenterMetrics(text, source === STDIN ? Date.now() : Math.floor((await stat(source)).mtimeMs));
}
