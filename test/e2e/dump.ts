import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';

/** The list that the help of `decant plan` names. */
const KINDS = 'nodes,pods,nodepools,nodeclaims,pdb,ds,pv,pvc,sc,ns';

/** The name of a file with everything that a plan depends on. */
export async function dump(cluster: Cluster): Promise<string> {
  const file = join(cluster.plane.folder, 'dump.json');
  writeFileSync(file, await cluster.plane.kubectl(['get', KINDS, '-A', '-o', 'json']));
  return file;
}

/** All that can be listed, as JSON. */
export async function everyKind(cluster: Cluster): Promise<string> {
  const printed = await cluster.plane.kubectl(['api-resources', '--verbs=list', '-o', 'name']);
  const kinds = printed.trim().split('\n').join(',');
  return cluster.plane.kubectl(['get', kinds, '-A', '-o', 'json']);
}
