import { bracketed, type MachineSize, RESERVED_MEMORY, type SizeRules } from './sized-types.ts';

const MIB = 2 ** 20;
const GIB = 2 ** 30;
/** The provider's defaults: Azure CNI overlay, an OS disk of 128 GB, 7.5 % of the memory for the hypervisor. */
const MAX_PODS = 250;
const OS_DISK = 128e9;
const HYPERVISOR_SHARE = 0.075;
const EVICTION_MIB = 750;
const RESERVED_CORES = [
  [1, 0.06],
  [2, 0.04],
  [4, 0.02],
  [Number.POSITIVE_INFINITY, 0.01],
] as const;

const PARTS = /^Standard_([A-Z]+?)(\d+)(?:-\d+)?([a-z]*)(?:_([A-Z][A-Za-z0-9]*))?(?:_v(\d+))?$/;

/** Azure's sizes as in karpenter-provider-azure. */
export const AZURE_RULES: SizeRules = {
  labels({ name, vcpus, memoryMib, gpus }) {
    const [, family, , features = '', accelerator, version = '1'] = PARTS.exec(name) ?? [];
    return {
      'karpenter.azure.com/sku-name': name,
      'karpenter.azure.com/sku-cpu': String(vcpus),
      'karpenter.azure.com/sku-memory': String(memoryMib),
      'karpenter.azure.com/sku-gpu-count': String(gpus),
      'kubernetes.azure.com/sku-cpu': String(vcpus),
      'kubernetes.azure.com/sku-memory': String(memoryMib),
      ...(family === undefined
        ? {}
        : {
            'karpenter.azure.com/sku-family': family,
            'karpenter.azure.com/sku-version': version,
            'karpenter.azure.com/sku-storage-premium-capable': String(features.includes('s')),
          }),
      ...(gpus > 0 ? { 'karpenter.azure.com/sku-gpu-manufacturer': 'nvidia' } : {}),
      ...(gpus > 0 && accelerator !== undefined ? { 'karpenter.azure.com/sku-gpu-name': accelerator } : {}),
    };
  },
  capacity({ vcpus, memoryMib, gpus }) {
    const memory = Math.floor(memoryMib / 1024) * GIB;
    return {
      cpu: vcpus * 1000,
      memory: memory - Math.ceil(memory * HYPERVISOR_SHARE),
      'ephemeral-storage': OS_DISK,
      pods: MAX_PODS,
      ...(gpus > 0 ? { 'nvidia.com/gpu': gpus } : {}),
    };
  },
  overhead({ vcpus, memoryMib }) {
    return {
      cpu: Math.floor(1000 * bracketed(vcpus, RESERVED_CORES)),
      memory: (Math.floor(1024 * bracketed(memoryMib / 1024, RESERVED_MEMORY)) + EVICTION_MIB) * MIB,
    };
  },
  isLaunchable,
};

/** At least two vCPUs and 3.5 GiB; confidential sizes need their own NodeClass. */
function isLaunchable({ name, vcpus, memoryMib }: MachineSize): boolean {
  return vcpus >= 2 && memoryMib >= 3.5 * 1024 && !/^Standard_[DE]C\d/.test(name);
}
