import { loadCatalog } from '../../src/catalog/load.ts';
import type { KarpenterVersion } from '../../src/engine/karpenter-release.ts';
import { loadCluster } from '../../src/kube/read/load.ts';
import { askStock } from './ask-stock.ts';
import type { StockAnswer } from './stock-answer.ts';

/** What our engine says of the cluster in the file, read as users' files are read. */
export async function answerCase(path: string, karpenter?: KarpenterVersion): Promise<StockAnswer> {
  const { objects, instanceTypes } = await loadCluster([path]);
  const entries = instanceTypes ?? { source: path, entries: [] };
  return askStock({ ...objects, instanceTypes: (await loadCatalog({ entries })).types }, karpenter);
}
