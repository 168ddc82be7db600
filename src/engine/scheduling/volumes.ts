import { getOrInsert } from '../cluster/get-or-insert.ts';
import type {
  ClusterObjects,
  NodeSelectorRequirement,
  PersistentVolumeClaimObject,
  PersistentVolumeObject,
  PodObject,
  StorageClassObject,
} from '../cluster/objects.ts';
import { isSameList } from '../cluster/same-list.ts';
import { HOSTNAME } from '../cluster/well-known.ts';
import { canonicalText } from '../selection/requirement.ts';
import {
  fromSelectors,
  intersectAll,
  overlapOnSharedKeys,
  type Requirements,
  UNRESTRICTED,
} from '../selection/requirements.ts';
import { withNameFields } from './name-fields.ts';

/** In-tree volume plugins and their CSI drivers. */
const CSI_OF_IN_TREE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'kubernetes.io/aws-ebs': 'ebs.csi.aws.com',
    'kubernetes.io/gce-pd': 'pd.csi.storage.gke.io',
    'kubernetes.io/azure-disk': 'disk.csi.azure.com',
    'kubernetes.io/azure-file': 'file.csi.azure.com',
    'kubernetes.io/cinder': 'cinder.csi.openstack.org',
    'kubernetes.io/vsphere-volume': 'csi.vsphere.vmware.com',
    'kubernetes.io/portworx-volume': 'pxd.portworx.com',
  }),
);

/** Requirements of a pod's volumes on its node. */
export interface PodVolumes {
  /** Alternatives, one of which must hold; empty: any node. */
  readonly alternatives: readonly Requirements[];
  /** A claim, volume or class is missing, so the alternatives are unknown. */
  readonly unresolved: boolean;
  /** Claims by CSI driver, which nodes limit. */
  readonly attached: readonly AttachedVolume[];
  /** The driver of a volume is unknown: Karpenter then tries no existing node. */
  readonly driverUnknown: boolean;
  readonly bound: readonly BoundVolume[];
}

/** A volume that its CSI driver counts, by its PersistentVolumeClaim. */
export interface AttachedVolume {
  readonly driver: string;
  readonly claim: string;
}

/** An existing volume of a claim. */
export interface BoundVolume {
  readonly claim: string;
  readonly volume: PersistentVolumeObject;
  /** Alternatives of this volume's node affinity; empty: every node. */
  readonly places: readonly Requirements[];
}

export const NO_VOLUMES: PodVolumes = {
  alternatives: [],
  unresolved: false,
  attached: [],
  driverUnknown: false,
  bound: [],
};

type StorageObjects = Pick<ClusterObjects, 'persistentVolumeClaims' | 'persistentVolumes' | 'storageClasses'>;

export class Volumes {
  private readonly made: StorageObjects;
  private readonly claims: ReadonlyMap<string, PersistentVolumeClaimObject>;
  private readonly volumes: ReadonlyMap<string, PersistentVolumeObject>;
  private readonly classes: ReadonlyMap<string, StorageClassObject>;
  private readonly compat: boolean;

  /** `compat`: Karpenter ignores the hostname affinity of local volumes, and node affinity by field. */
  constructor({ persistentVolumeClaims, persistentVolumes, storageClasses }: StorageObjects, compat: boolean) {
    this.made = { persistentVolumeClaims, persistentVolumes, storageClasses };
    this.compat = compat;
    this.claims = new Map(persistentVolumeClaims.map((c) => [`${c.namespace}/${c.name}`, c]));
    this.volumes = new Map(persistentVolumes.map((v) => [v.name, v]));
    this.classes = new Map(storageClasses.map((s) => [s.name, s]));
  }

  /** Whether these are the objects that this was made of. */
  areThoseOf({ persistentVolumeClaims, persistentVolumes, storageClasses }: StorageObjects, compat: boolean): boolean {
    const { made } = this;
    return (
      this.compat === compat &&
      isSameList(made.persistentVolumeClaims, persistentVolumeClaims) &&
      isSameList(made.persistentVolumes, persistentVolumes) &&
      isSameList(made.storageClasses, storageClasses)
    );
  }

  of(pod: PodObject): PodVolumes {
    if (pod.volumeClaims.length === 0) return NO_VOLUMES;
    let alternatives: readonly Requirements[] = [];
    let unresolved = false;
    let driverUnknown = false;
    const attached: { driver: string; claim: string }[] = [];
    const bound: BoundVolume[] = [];
    for (const name of pod.volumeClaims) {
      const key = `${pod.namespace}/${name}`;
      const claim = this.claims.get(key);
      if (claim === undefined) {
        unresolved = true;
        continue;
      }
      const places = this.placesOf(claim);
      if (places === undefined) unresolved = true;
      else if (places.length > 0) alternatives = alternatives.length === 0 ? places : combine(alternatives, places);
      const volume = this.volumes.get(claim.volumeName);
      if (volume !== undefined) bound.push({ claim: key, volume, places: places ?? [] });
      const driver = this.driverOf(claim);
      if (driver === undefined) driverUnknown = true;
      else if (driver !== '') attached.push({ driver, claim: key });
    }
    return { alternatives: unresolved ? [] : alternatives, unresolved, attached, driverUnknown, bound };
  }

  /** Where the volume is or may be created, as alternatives; undefined if an object is missing. */
  private placesOf(claim: PersistentVolumeClaimObject): readonly Requirements[] | undefined {
    if (claim.volumeName !== '') {
      const volume = this.volumes.get(claim.volumeName);
      return volume === undefined ? undefined : volumePlaces(volume, this.compat);
    }
    if (claim.storageClass === '') return [];
    const storageClass = this.classes.get(claim.storageClass);
    return storageClass?.allowedTopologies
      .filter((term) => term.length > 0)
      .map((term) => fromSelectors(term.map(({ key, values }) => ({ key, operator: 'In', values }))));
  }

  /** '' for volumes without a limit; undefined if the bound volume does not exist. */
  private driverOf(claim: PersistentVolumeClaimObject): string | undefined {
    if (claim.volumeName !== '') {
      const volume = this.volumes.get(claim.volumeName);
      if (volume === undefined) return undefined;
      return volume.csiDriver !== '' ? volume.csiDriver : volume.awsElasticBlockStore ? 'ebs.csi.aws.com' : '';
    }
    const provisioner = this.classes.get(claim.storageClass)?.provisioner ?? '';
    return CSI_OF_IN_TREE.get(provisioner) ?? provisioner;
  }

  /** Whether the scheduler would accept the pod's claims. Pending pods with others are ignored. */
  areBindable(pod: PodObject): boolean {
    return pod.volumeClaims.every((name) => {
      const claim = this.claims.get(`${pod.namespace}/${name}`);
      if (claim === undefined || claim.terminating || claim.phase === 'Lost') return false;
      if (claim.volumeName !== '') {
        const volume = this.volumes.get(claim.volumeName);
        return volume !== undefined && !volume.terminating && claim.bindCompleted;
      }
      const storageClass = this.classes.get(claim.storageClass);
      return storageClass !== undefined && storageClass.volumeBindingMode !== 'Immediate';
    });
  }
}

function volumePlaces(volume: PersistentVolumeObject, compat: boolean): readonly Requirements[] {
  const places: Requirements[] = [];
  const anyHost = compat && volume.nodeLocal;
  for (const term of volume.nodeTerms ?? []) {
    const all: readonly NodeSelectorRequirement[] = compat ? (term.matchExpressions ?? []) : withNameFields(term);
    const kept = anyHost ? all.filter((r) => r.key !== HOSTNAME) : all;
    if (kept.length > 0) places.push(fromSelectors(kept));
    else if (anyHost && all.length > 0) places.push(UNRESTRICTED);
  }
  return places;
}

/** Alternatives of one pod: without a limit, volumes whose alternatives combine freely would have exponentially many. */
const MOST_ALTERNATIVES = 256;

/** Every consistent pair, or all pairs if none is; equal results once, and the first ones only. */
function combine(a: readonly Requirements[], b: readonly Requirements[]): readonly Requirements[] {
  const pairs = a.flatMap((x) => b.map((y) => [x, y] as const));
  const agreeing = pairs.filter(([x, y]) => overlapOnSharedKeys(x, y));
  const distinct = new Map<string, Requirements>();
  for (const [x, y] of agreeing.length > 0 ? agreeing : pairs) {
    const both = intersectAll(x.values(), y.values());
    getOrInsert(distinct, [...both.values()].map(canonicalText).sort().join(), () => both);
  }
  return [...distinct.values()].slice(0, MOST_ALTERNATIVES);
}
