import { type KarpenterVersion, NEWEST_KARPENTER } from '../engine/karpenter-release.ts';

/** Values of `--compat`. Without a version: the cluster's, or the newest. */
export const COMPAT_SYSTEMS = ['karpenter', 'karpenter@1.15', 'karpenter@1.14'] as const;

export type Compat = (typeof COMPAT_SYSTEMS)[number];

const VERSIONS: Readonly<Partial<Record<Compat, KarpenterVersion>>> = {
  'karpenter@1.15': '1.15.0',
  'karpenter@1.14': '1.14.1',
};

/** `running`: the version in the cluster. */
export function compatVersion(compat: Compat, running?: KarpenterVersion): KarpenterVersion {
  return VERSIONS[compat] ?? running ?? NEWEST_KARPENTER;
}
