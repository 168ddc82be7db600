import { loadCatalog } from '../../src/catalog/load.ts';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import type { CompiledCluster } from '../../src/engine/scheduling/compiled-cluster.ts';
import { loadCluster } from '../../src/kube/read/load.ts';
import { NOW_MS } from '../generate/parameters.ts';

/** As `decant plan` reads them. A kubectl dump has no time of its own. */
export async function loadObjects(file: string): Promise<ClusterObjects> {
  const { objects, instanceTypes } = await loadCluster([file], { nowMs: NOW_MS });
  return { ...objects, instanceTypes: (await loadCatalog({ entries: instanceTypes })).types };
}

/** With all that Karpenter does, because it is compared with Karpenter. */
export function compileAsStock(objects: ClusterObjects): CompiledCluster {
  return compile(objects, { compat: true, shieldDestinations: true, spotToSpotTypes: 15 });
}
