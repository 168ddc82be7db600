/** Few types, so that what is cheapest can be told at a glance. Seven pods of one cpu fill a c-8x. */
export const TYPES = ['c-1x', 'c-2x', 'c-4x', 'c-8x'].map((name) => `${name}-amd64-linux`);

/** Every pool is ours, and its nodes may go as soon as they can. */
export const POLICY = {
  apiVersion: 'decant.sh/v1alpha1',
  kind: 'ConsolidationPolicy',
  metadata: { name: 'all' },
  spec: { nodePoolSelector: {}, consolidateAfter: '0s', budgets: [{ nodes: '2' }] },
};
