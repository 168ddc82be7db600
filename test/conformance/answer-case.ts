import { loadCatalog } from '../../src/catalog/load.ts';
import { askStock } from '../../src/engine/policies/ask-stock.ts';
import type { StockAnswer } from '../../src/engine/policies/stock-answer.ts';
import { loadCluster } from '../../src/kube/read/load.ts';
import { withPlainFile } from './case-files.ts';

/** What our engine says of the cluster in the file, read as users' files are read. */
export async function answerCase(path: string): Promise<StockAnswer> {
  return withPlainFile(path, async (plain) => {
    const { objects, instanceTypes } = await loadCluster([plain], {});
    const catalog = await loadCatalog({ entries: { source: plain, entries: instanceTypes ?? [] } });
    return askStock({ ...objects, instanceTypes: catalog });
  });
}
