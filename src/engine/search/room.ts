import { hasBit } from '../cluster/bitset.ts';
import { CPU, MEMORY } from '../cluster/request-table.ts';
import type { Replacement } from '../policies/replacement.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';

export interface Room {
  readonly cpu: number;
  readonly memory: number;
}

/** What is left on the new nodes, if each is launched as its cheapest type. */
export function roomOn(
  { types, templates, requests, requestOfPod }: CompiledCluster,
  replacements: readonly Replacement[],
): Room {
  let cpu = 0;
  let memory = 0;
  for (const { template, types: allowed, pods } of replacements) {
    const [type] = allowed;
    const { allocatable } = types.list[type];
    const overhead = templates[template].daemons.find((group) => hasBit(group.types, type))?.overhead;
    cpu += (allocatable.cpu ?? 0) - (overhead?.[CPU] ?? 0);
    memory += (allocatable.memory ?? 0) - (overhead?.[MEMORY] ?? 0);
    for (const pod of pods) {
      const amounts = requests.amounts(requestOfPod[pod]);
      cpu -= amounts[CPU];
      memory -= amounts[MEMORY];
    }
  }
  return { cpu, memory };
}
