import { bracketed, RESERVED_MEMORY, type SizeRules } from './sized-types.ts';

const MIB = 2 ** 20;
const GIB = 2 ** 30;
/** Defaults of GKE: a boot disk of 100 GiB, 110 pods. */
const BOOT_DISK_GIB = 100;
const MAX_PODS = 110;
/** Share of the memory that the hypervisor reserves. */
const HYPERVISOR_SHARE = 0.07;
const EVICTION_MIB = 100;
const RESERVED_CORES = [
  [1, 0.06],
  [2, 0.01],
  [4, 0.005],
  [Number.POSITIVE_INFINITY, 0.0025],
] as const;
/** Reserved on e2-micro, -small and -medium, whose two vCPUs are shared. */
const SHARED_CORE_MILLICORES = 1060;

const GROUP = 'karpenter.k8s.gcp';

/** Google's machine types as in karpenter-provider-gcp; GPUs are not in the tables. */
export const GCP_RULES: SizeRules = {
  labels({ name, vcpus, memoryMib }) {
    const parts = name.split('-');
    const [family, shape = ''] = parts;
    return {
      [`${GROUP}/instance-cpu`]: String(vcpus),
      [`${GROUP}/instance-memory`]: String(memoryMib),
      [`${GROUP}/instance-family`]: family,
      [`${GROUP}/instance-category`]: /^[a-z]+/.exec(family)?.[0] ?? family,
      [`${GROUP}/instance-generation`]: /\d/.exec(family)?.[0] ?? '',
      [`${GROUP}/instance-shape`]: shape,
      [`${GROUP}/instance-size`]: parts.at(parts.length > 3 ? -2 : -1) ?? '',
    };
  },
  capacity({ vcpus, memoryMib }) {
    const memory = memoryMib * MIB;
    return {
      cpu: vcpus * 1000,
      memory: memory - Math.floor(memory * HYPERVISOR_SHARE),
      'ephemeral-storage': BOOT_DISK_GIB * GIB,
      pods: MAX_PODS,
    };
  },
  overhead({ name, vcpus, memoryMib }) {
    const shared = /^e2-(micro|small|medium)$/.test(name);
    return {
      cpu: shared ? SHARED_CORE_MILLICORES : Math.ceil(1000 * bracketed(vcpus, RESERVED_CORES)),
      memory: (Math.floor(1024 * bracketed(memoryMib / 1024, RESERVED_MEMORY)) + EVICTION_MIB) * MIB,
      // Half of the disk and 6 GiB, at most 100 GiB, and 10 % before pods are evicted.
      'ephemeral-storage': (Math.min(0.5 * BOOT_DISK_GIB, 6 + 0.35 * BOOT_DISK_GIB, 100) + 0.1 * BOOT_DISK_GIB) * GIB,
    };
  },
  isLaunchable: () => true,
};
