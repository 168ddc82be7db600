import type { NodeSelectorRequirement, Resources } from './objects.ts';

/** `karpenter.sh/v1alpha1` NodeOverlay: other prices or additional resources for some instance types. */
export interface NodeOverlayObject {
  readonly name: string;
  readonly weight: number;
  readonly requirements: readonly NodeSelectorRequirement[];
  /** Dollars per hour as text: `0.05`, or an adjustment `+0.01`, `-0.01`, `+5%`, `-5%`. */
  readonly price?: string;
  /** Extended resources. */
  readonly capacity?: Resources;
}
