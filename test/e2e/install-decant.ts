import { CRDS } from '../../src/crd/manifests.ts';
import type { Cluster } from './cluster.ts';

/** Puts our kinds into the cluster. */
export async function installDecant(cluster: Cluster): Promise<void> {
  await cluster.apply(...CRDS);
  const names = CRDS.map(({ metadata }) => metadata.name);
  await cluster.plane.kubectl(['wait', '--for=condition=Established', '--timeout=30s', 'crd', ...names]);
}
