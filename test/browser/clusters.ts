import type { ClusterObjects, PodObject } from '../../src/engine/cluster/objects.ts';
import type { Subject } from '../../src/web/analysis/subject.ts';
import { cluster } from '../build/cluster.ts';
import { LARGE, MEDIUM, SMALL } from '../build/instance-type.ts';
import { machine } from '../build/machine.ts';
import { nodePool } from '../build/node-pool.ts';
import { pod } from '../build/pod.ts';
import { subject } from '../build/subject.ts';
import { GIB } from '../build/units.ts';

const TYPES = [LARGE, MEDIUM, SMALL];
const POOLS = ['web', 'batch', 'tools'];

/** Nodes of three sizes in three pools, each with some pods on it. */
function fleet(size: number, suffix = ''): ClusterObjects {
  const nodeName = (i: number) => `node-${String(i).padStart(4, '0')}${suffix}`;
  const machines = Array.from({ length: size }, (_, i) => {
    const zone = `zone-${'abc'[(i >> 2) % 3]}`;
    const kept = i % 4 === 1 ? { doNotDisrupt: 'true' } : {};
    return machine(nodeName(i), { type: TYPES[i % 3], pool: POOLS[i % 3], zone, ...kept });
  });
  const pods = Array.from({ length: size }, (_, i): PodObject[] => {
    const room = TYPES[i % 3].allocatable.cpu ?? 0;
    return Array.from({ length: i % 5 }, (_, j) =>
      pod(`app-${i}-${j}`, { on: nodeName(i), cpu: Math.round(room / 8), memory: GIB / 4 }),
    );
  });
  return cluster({ machines, pods: pods.flat(), nodePools: POOLS.map((pool) => nodePool(pool)) });
}

/** A plan in a moment: the page is on trial, not the search. */
function subjectFor(objects: ClusterObjects): Subject {
  return { ...subject(objects, { savingsThresholdCents: 0.5 }, { utilizationThreshold: 0.75 }), work: 3000 };
}

export const SMALL_CLUSTER = subjectFor(fleet(12));
/** As long as those of real providers. */
export const LONG_NAME = '-owlbrown-6-quypoeglc9-3923351103.eu-west-1.compute';
export const LONG_NAMES_CLUSTER = subjectFor(fleet(12, LONG_NAME));
export const LARGE_CLUSTER = subjectFor(fleet(1000));
export const EMPTY_CLUSTER = subjectFor(cluster());

export const HOSTILE = '<img src=x onerror=window.hacked=1>';

/** Names that no API server would let in, everywhere where a name can be. */
export const HOSTILE_CLUSTER = subjectFor(
  cluster({
    nodePools: [nodePool(HOSTILE)],
    machines: [
      machine(HOSTILE, { pool: HOSTILE, type: LARGE }),
      machine('"><script>window.hacked=2</script>', { pool: HOSTILE }),
    ],
    pods: [pod(HOSTILE, { namespace: HOSTILE, on: HOSTILE }), pod('javascript:window.hacked=3', { on: HOSTILE })],
  }),
);
