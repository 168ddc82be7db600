import type { Theme } from './theme.ts';
import { capacityBuffers } from './themes/capacity-buffers.ts';
import { daemons } from './themes/daemons.ts';
import { defaultSpread } from './themes/default-spread.ts';
import { balanced, disruption } from './themes/disruption.ts';
import { emptiness, shield } from './themes/emptiness.ts';
import { manyTypes } from './themes/many-types.ts';
import { nodeOverlays } from './themes/node-overlays.ts';
import { deletingNodes, nodes } from './themes/nodes.ts';
import { offerings, reserved, spot } from './themes/offerings.ts';
import { pdbs } from './themes/pdbs.ts';
import { podAffinity } from './themes/pod-affinity.ts';
import { costs, pods } from './themes/pods.ts';
import { minValues, pools } from './themes/pools.ts';
import { ports } from './themes/ports.ts';
import { preferences } from './themes/preferences.ts';
import { rebooting } from './themes/rebooting.ts';
import { requirements } from './themes/requirements.ts';
import { resources } from './themes/resources.ts';
import { spread } from './themes/spread.ts';
import { taints } from './themes/taints.ts';
import { typeLabels } from './themes/type-labels.ts';
import { volumes } from './themes/volumes.ts';

/** In this order seeds take turns: seed n has theme n mod length, and others by chance. */
export const THEMES: Readonly<Record<string, Theme>> = {
  requirements,
  preferences,
  taints,
  podAffinity,
  spread,
  ports,
  volumes,
  resources,
  daemons,
  pools,
  minValues,
  disruption,
  balanced,
  nodes,
  deletingNodes,
  pods,
  costs,
  pdbs,
  offerings,
  reserved,
  spot,
  typeLabels,
  emptiness,
  shield,
  capacityBuffers,
  nodeOverlays,
  defaultSpread,
  rebooting,
};

/** Large files: only a seed that asks for it gets it. */
export const RARE: Readonly<Record<string, Theme>> = { manyTypes };
