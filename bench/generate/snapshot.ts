import { catalogOf, clusterObjects } from './cluster.ts';
import { type ClusterParameters, NOW_MS } from './parameters.ts';
import { timeText } from './quantity-text.ts';

/** The cluster as a Decant snapshot, in pieces of JSON text. */
export async function* snapshotText(p: ClusterParameters): AsyncGenerator<string> {
  const catalog = await catalogOf(p);
  const options = p.spotToSpot ? { featureGates: 'SpotToSpotConsolidation=true' } : {};
  const instanceTypes = catalog.map((type) => type.entry);
  yield `{"now":"${timeText(NOW_MS)}","options":${JSON.stringify(options)},`;
  yield `"instanceTypes":${JSON.stringify(instanceTypes)},"objects":[`;
  let separator = '\n';
  for (const object of clusterObjects(p, catalog)) {
    yield separator + JSON.stringify(object);
    separator = ',\n';
  }
  yield '\n]}\n';
}
