import fc from 'fast-check';
import type { CsiNodeObject } from '../../../src/engine/cluster/csi-node-object.ts';
import type { ClusterObjects } from '../../../src/engine/cluster/objects.ts';
import { HOSTNAME, ZONE } from '../../../src/engine/cluster/well-known.ts';
import { is, nodeWith } from '../constraints.ts';
import { ZONES } from '../instance-type.ts';
import { csiNode, storageClass, unboundClaim, volume, volumeClaim, zonalVolume } from '../storage.ts';
import { NAMESPACES } from './vocabulary.ts';

type Storage = Pick<ClusterObjects, 'persistentVolumes' | 'persistentVolumeClaims' | 'storageClasses'>;

const [a, b, c] = ZONES;

const CLAIMS = [
  volumeClaim('bound-a'),
  volumeClaim('bound-b'),
  volumeClaim('bound-ab'),
  unboundClaim('unbound-any', 'disk'),
  unboundClaim('unbound-c', 'disk-in-c'),
  volumeClaim('local'),
  volumeClaim('lost', { volumeName: 'not-there' }),
];

/** A volume of each kind; which pods use which is the random part. */
export const STORAGE: Storage = {
  persistentVolumes: [
    zonalVolume('bound-a', a),
    zonalVolume('bound-b', b),
    zonalVolume('bound-ab', a, b),
    volume('local', { nodeLocal: true, nodeTerms: [nodeWith(is(HOSTNAME, 'In', 'node-0'))] }),
  ],
  persistentVolumeClaims: NAMESPACES.flatMap((namespace) => CLAIMS.map((claim) => ({ ...claim, namespace }))),
  storageClasses: [
    storageClass('disk'),
    storageClass('disk-in-c', { allowedTopologies: [[{ key: ZONE, values: [c] }]] }),
  ],
};

/** Of the first nodes: how many disks they may attach; undefined for no limit. */
export const diskLimits: fc.Arbitrary<(number | undefined)[]> = fc.array(
  fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
  { maxLength: 5 },
);

export function csiNodes(limits: readonly (number | undefined)[]): CsiNodeObject[] {
  return limits.flatMap((limit, i) => (limit === undefined ? [] : [csiNode(`node-${i}`, limit)]));
}
