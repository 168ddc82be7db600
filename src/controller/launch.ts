import type { NodeSelectorRequirement } from '../engine/cluster/objects.ts';

/** spec.requirements of a NodeClaim. */
export type Requirements = readonly NodeSelectorRequirement[];
