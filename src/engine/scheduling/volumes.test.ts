import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { is, nodeWith } from '../../../test/build/constraints.ts';
import { pod } from '../../../test/build/pod.ts';
import {
  DISK_DRIVER,
  storageClass,
  unboundClaim,
  volume,
  volumeClaim,
  zonalVolume,
} from '../../../test/build/storage.ts';
import type { PersistentVolumeClaimObject, PersistentVolumeObject, StorageClassObject } from '../cluster/objects.ts';
import { HOSTNAME, ZONE } from '../cluster/well-known.ts';
import { type PodVolumes, Volumes } from './volumes.ts';

interface Storage {
  readonly claims: readonly PersistentVolumeClaimObject[];
  readonly volumes?: readonly PersistentVolumeObject[];
  readonly classes?: readonly StorageClassObject[];
  readonly compat?: boolean;
}

function storageOf({ claims, volumes = [], classes = [], compat = false }: Storage): Volumes {
  return new Volumes({ persistentVolumeClaims: claims, persistentVolumes: volumes, storageClasses: classes }, compat);
}

/** What the volumes of a pod that uses all the claims ask for. */
function asked(storage: Storage): PodVolumes {
  return storageOf(storage).of(pod('user', { volumeClaims: storage.claims.map((c) => c.name) }));
}

/** Alternatives as "key=values" texts. */
function places(storage: Storage): string[] {
  return asked(storage).alternatives.map((r) =>
    [...r.values()].map((x) => `${x.key}=${[...x.values].sort().join('|')}`).join(' & '),
  );
}

const zoneClass = (name: string, ...zones: string[]) =>
  storageClass(name, { allowedTopologies: zones.map((zone) => [{ key: ZONE, values: [zone] }]) });

describe('the places of a pod with volumes', () => {
  test('are few, however many volumes it has', () => {
    const of = (names: readonly string[]) =>
      Array.from({ length: 30 }, (_, i) => unboundClaim(`v${i}`, names[i % names.length]));
    // Combinations that overlap, that contradict each other, and that are about different labels.
    const overlapping = storageClass('overlapping', {
      allowedTopologies: ['ab', 'bc', 'ca'].map((zones) => [{ key: ZONE, values: [...zones] }]),
    });
    assert.ok(places({ claims: of(['overlapping']), classes: [overlapping] }).length <= 7);
    const contrary = [zoneClass('one', 'a', 'b', 'c'), zoneClass('two', 'd', 'e', 'f')];
    assert.equal(places({ claims: of(['one', 'two']), classes: contrary }).length, 1);
    const independent = Array.from({ length: 30 }, (_, i) =>
      storageClass(`class-${i}`, {
        allowedTopologies: ['x', 'y'].map((value) => [{ key: `key-${i}`, values: [value] }]),
      }),
    );
    const many = places({ claims: of(independent.map(({ name }) => name)), classes: independent });
    assert.ok(many.length > 1 && many.length <= 256, `${many.length}`);
  });

  test('are anywhere without volumes', () => assert.deepEqual(places({ claims: [] }), []));

  test('are those of the bound volume, each term an alternative', () => {
    assert.deepEqual(places({ claims: [volumeClaim('v')], volumes: [zonalVolume('v', 'a', 'b')] }), [
      `${ZONE}=a`,
      `${ZONE}=b`,
    ]);
  });

  test('are those that the class allows while the claim is unbound', () => {
    assert.deepEqual(places({ claims: [unboundClaim('v', 'zonal')], classes: [zoneClass('zonal', 'a', 'b')] }), [
      `${ZONE}=a`,
      `${ZONE}=b`,
    ]);
  });

  test('are anywhere for a class that says nothing, or an empty term', () => {
    assert.deepEqual(places({ claims: [unboundClaim('v', 'any')], classes: [storageClass('any')] }), []);
    assert.deepEqual(
      places({ claims: [unboundClaim('v', 'any')], classes: [storageClass('any', { allowedTopologies: [[]] })] }),
      [],
    );
  });

  test('of several volumes are the pairs that do not contradict each other', () => {
    const storage = {
      claims: [volumeClaim('ab'), volumeClaim('bc')],
      volumes: [zonalVolume('ab', 'a', 'b'), zonalVolume('bc', 'b', 'c')],
    };
    assert.deepEqual(places(storage), [`${ZONE}=b`]);
  });

  test('are all pairs if every one contradicts itself, so that no node with a zone will do', () => {
    const storage = {
      claims: [volumeClaim('a'), volumeClaim('b')],
      volumes: [zonalVolume('a', 'a'), zonalVolume('b', 'b')],
    };
    assert.deepEqual(places(storage), [`${ZONE}=`]);
  });

  test('of volumes about different labels hold together', () => {
    const rack = volume('r', { nodeTerms: [nodeWith(is('rack', 'In', '1'))] });
    assert.deepEqual(places({ claims: [volumeClaim('z'), volumeClaim('r')], volumes: [zonalVolume('z', 'a'), rack] }), [
      `${ZONE}=a & rack=1`,
    ]);
  });

  test('include the host of a local volume; with compat only the rest of its term', () => {
    const local = volume('l', { nodeLocal: true, nodeTerms: [nodeWith(is(HOSTNAME, 'In', 'n'), is(ZONE, 'In', 'a'))] });
    const both = { claims: [volumeClaim('l')], volumes: [local] };
    assert.deepEqual(places(both), [`${HOSTNAME}=n & ${ZONE}=a`]);
    assert.deepEqual(places({ ...both, compat: true }), [`${ZONE}=a`]);
    const onlyHost = volume('h', { nodeLocal: true, nodeTerms: [nodeWith(is(HOSTNAME, 'In', 'n'))] });
    assert.deepEqual(places({ claims: [volumeClaim('h')], volumes: [onlyHost], compat: true }), ['']);
  });

  test('depend on the host of a volume that is not node-local', () => {
    const pinned = volume('p', { nodeTerms: [nodeWith(is(HOSTNAME, 'In', 'n'))] });
    assert.deepEqual(places({ claims: [volumeClaim('p')], volumes: [pinned] }), [`${HOSTNAME}=n`]);
  });
});

describe('what is missing', () => {
  test('of a claim, a class or a volume leaves the places unresolved', () => {
    const storage = storageOf({ claims: [unboundClaim('no-class', 'gone'), volumeClaim('no-volume')] });
    for (const name of ['no-claim', 'no-class', 'no-volume']) {
      const { unresolved, alternatives } = storage.of(pod('user', { volumeClaims: [name] }));
      assert.deepEqual({ unresolved, alternatives }, { unresolved: true, alternatives: [] }, name);
    }
  });

  test('of the volume leaves its driver unknown', () => {
    assert.equal(asked({ claims: [volumeClaim('gone')] }).driverUnknown, true);
    assert.equal(asked({ claims: [unboundClaim('v', 'gone')] }).driverUnknown, false);
  });

  test('of one volume lifts the places of all', () => {
    const storage = storageOf({ claims: [volumeClaim('here')], volumes: [zonalVolume('here', 'a')] });
    assert.deepEqual(storage.of(pod('user', { volumeClaims: ['here', 'gone'] })).alternatives, []);
  });
});

describe('the driver that counts a volume', () => {
  const drivers = (storage: Storage) => asked(storage).attached.map((a) => `${a.driver} ${a.claim}`);

  test('is that of the bound volume', () => {
    assert.deepEqual(drivers({ claims: [volumeClaim('v')], volumes: [volume('v')] }), [`${DISK_DRIVER} default/v`]);
  });

  test('is the EBS driver for an in-tree EBS volume, and none for other in-tree volumes', () => {
    const inTree = { csiDriver: '', awsElasticBlockStore: true };
    assert.deepEqual(drivers({ claims: [volumeClaim('v')], volumes: [volume('v', inTree)] }), [
      'ebs.csi.aws.com default/v',
    ]);
    assert.deepEqual(drivers({ claims: [volumeClaim('v')], volumes: [volume('v', { csiDriver: '' })] }), []);
  });

  test('is the provisioner of the class while unbound, in-tree ones by their successor', () => {
    const inTree = storageClass('old', { provisioner: 'kubernetes.io/aws-ebs' });
    assert.deepEqual(drivers({ claims: [unboundClaim('v', 'disk')], classes: [storageClass('disk')] }), [
      `${DISK_DRIVER} default/v`,
    ]);
    assert.deepEqual(drivers({ claims: [unboundClaim('v', 'old')], classes: [inTree] }), ['ebs.csi.aws.com default/v']);
  });
});

describe('the claims of a pending pod', () => {
  const cases: readonly (readonly [law: string, bindable: boolean, claim: PersistentVolumeClaimObject])[] = [
    ['are fine when bound', true, volumeClaim('v')],
    ['are not before the binding is complete', false, volumeClaim('v', { bindCompleted: false })],
    ['are not when lost', false, volumeClaim('v', { phase: 'Lost' })],
    ['are not when on their way out', false, volumeClaim('v', { terminating: true })],
    ['are not when their volume is gone', false, volumeClaim('v', { volumeName: 'gone' })],
    ['are not when their volume is on its way out', false, volumeClaim('v', { volumeName: 'leaving' })],
    ['are fine when they wait for the first pod', true, unboundClaim('v', 'disk')],
    ['are not when they should have been bound at once', false, unboundClaim('v', 'immediate')],
    ['are not without a class', false, unboundClaim('v', 'gone')],
  ];
  const classes = [storageClass('disk'), storageClass('immediate', { volumeBindingMode: 'Immediate' })];
  const volumes = [volume('v'), volume('leaving', { terminating: true })];
  for (const [law, bindable, claim] of cases) {
    test(law, () =>
      assert.equal(
        storageOf({ claims: [claim], volumes, classes }).areBindable(pod('user', { volumeClaims: ['v'] })),
        bindable,
      ),
    );
  }

  test('must be there', () =>
    assert.equal(storageOf({ claims: [] }).areBindable(pod('user', { volumeClaims: ['v'] })), false));
});
