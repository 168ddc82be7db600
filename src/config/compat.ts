import { type KarpenterVersion, NEWEST_KARPENTER } from '../engine/karpenter-release.ts';

/** What `--compat` takes. Without a version: the one that runs in the cluster, or the newest. */
export const COMPAT_SYSTEMS = ['karpenter', 'karpenter@1.15', 'karpenter@1.14'] as const;

export type Compat = (typeof COMPAT_SYSTEMS)[number];

const VERSIONS: Readonly<Partial<Record<Compat, KarpenterVersion>>> = {
  'karpenter@1.15': '1.15.0',
  'karpenter@1.14': '1.14.1',
};

/** `running`: the version that the cluster shows. */
export function compatVersion(compat: Compat, running?: KarpenterVersion): KarpenterVersion {
  return VERSIONS[compat] ?? running ?? NEWEST_KARPENTER;
}
