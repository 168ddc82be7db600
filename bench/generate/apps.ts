import { BATCH_LABEL, BATCH_TAINT } from './node-pools.ts';
import type { CapacityType, ClusterParameters } from './parameters.ts';
import type { Random } from './random.ts';

const MIB = 2 ** 20;
const CPU_MILLI = [50, 100, 100, 200, 250, 250, 400, 500, 500, 750, 1000, 1500];
const MEMORY_MIB = [64, 128, 128, 256, 256, 512, 512, 1024, 1024, 2048, 3072];
const HOSTNAME = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

export const PRIORITIES = [100_000, 50_000_000, -40_000_000] as const;

interface Spread {
  readonly key: typeof HOSTNAME | typeof ZONE;
  readonly maxSkew: number;
  readonly required: boolean;
}

/** What the pods of one workload have in common. */
export interface App {
  readonly name: string;
  readonly cpuMilli: number;
  readonly memoryBytes: number;
  readonly replicas: number;
  readonly zone?: string;
  readonly capacityType?: CapacityType;
  readonly arch?: string;
  readonly batch: boolean;
  /** Asks for a label that some nodes have and no NodePool gives. */
  readonly legacy: boolean;
  readonly spread?: Spread;
  /** No two of its pods on one node. */
  readonly apart: boolean;
  readonly volumes: boolean;
  readonly priority: number;
  readonly deletionCost?: string;
  readonly doNotDisrupt?: string;
  /** Pods placed so far, by every zone that there is. */
  readonly podsInZone: Map<string, number>;
}

export class Apps {
  readonly list: App[] = [];
  readonly #parameters: ClusterParameters;
  readonly #zones: readonly string[];
  readonly #random: Random;
  /** Of apps, and of nodes. */
  readonly shareProtected: number;

  constructor(parameters: ClusterParameters, zones: readonly string[], random: Random) {
    this.#parameters = parameters;
    this.#zones = zones;
    this.#random = random;
    const { mode, variant } = parameters;
    // Protected nodes are not evaluated; only clusters of all kinds of nodes have some.
    this.shareProtected = mode === 'mixed' && (variant === 'normal' || variant === 'tight') ? 0.02 : 0;
  }

  add(): App {
    const random = this.#random;
    const { mode, podsPerNode } = this.#parameters;
    const plain: App = {
      name: `app-${String(this.list.length + 1).padStart(4, '0')}`,
      cpuMilli: random.pick(CPU_MILLI),
      memoryBytes: random.pick(MEMORY_MIB) * MIB,
      replicas: 1 + random.below(2 * podsPerNode),
      batch: false,
      legacy: false,
      apart: false,
      volumes: false,
      priority: 0,
      podsInZone: new Map(this.#zones.map((zone) => [zone, 0])),
    };
    const app = mode === 'plain' ? plain : this.#constrain(plain);
    this.list.push(this.#parameters.variant === 'spread' ? this.#withSpread(app) : app);
    return this.list[this.list.length - 1];
  }

  /** Exactly what is left on a node, where no other app may go. */
  addFiller(name: string, batch: boolean): App {
    const app: App = {
      name,
      cpuMilli: 0,
      memoryBytes: 0,
      replicas: 1,
      batch,
      legacy: false,
      apart: false,
      volumes: false,
      priority: 0,
      podsInZone: new Map(this.#zones.map((zone) => [zone, 0])),
    };
    this.list.push(this.#parameters.variant === 'spread' ? this.#withSpread(app) : app);
    return this.list[this.list.length - 1];
  }

  #constrain(app: App): App {
    const random = this.#random;
    const { variant } = this.#parameters;
    const place = this.#choosePlace();
    const topology = this.#chooseTopology(app.replicas, place.zone !== undefined);
    const guarded = random.chance(this.shareProtected);
    return {
      ...app,
      ...place,
      ...topology,
      legacy: variant === 'tight' && random.chance(0.1),
      priority: choosePriority(random),
      deletionCost: random.chance(0.1) ? random.pick(['100', '-100', '1000000000', '-1000000000']) : undefined,
      doNotDisrupt: guarded ? random.pick(['true', 'true', '1h', '9999h']) : undefined,
      replicas: Math.min(topology.replicas ?? app.replicas, guarded ? 2 : Number.POSITIVE_INFINITY),
    };
  }

  #choosePlace(): Pick<App, 'zone' | 'capacityType' | 'arch'> & { batch: boolean } {
    const random = this.#random;
    const x = random.fraction();
    if (x < 0.07) return { batch: false, zone: random.pick(this.#zones) };
    if (x < 0.12) return { batch: false, capacityType: random.pick(['on-demand', 'spot']) };
    if (x < 0.2) return { batch: false, arch: random.pick(['amd64', 'amd64', 'arm64']) };
    return { batch: x < 0.3 };
  }

  #chooseTopology(replicas: number, inOneZone: boolean): Partial<App> {
    const random = this.#random;
    const x = random.fraction();
    const maxSkew = 1 + random.below(2);
    if (x < 0.2) return inOneZone ? {} : { spread: { key: ZONE, maxSkew, required: true } };
    if (x < 0.25) return inOneZone ? {} : { spread: { key: ZONE, maxSkew: 1, required: false } };
    if (x < 0.32) return { apart: true, replicas: Math.min(replicas, 1 + Math.floor(this.#parameters.nodes / 3)) };
    if (x < 0.37) return { spread: { key: HOSTNAME, maxSkew: 2, required: true } };
    if (x < 0.42) return { volumes: true, replicas: Math.min(replicas, 3) };
    return {};
  }

  #withSpread(app: App): App {
    if (app.spread?.required) return app;
    const random = this.#random;
    const maxSkew = 1 + random.below(2);
    const key = app.zone === undefined && random.chance(0.6) ? ZONE : HOSTNAME;
    return { ...app, spread: { key, maxSkew, required: true } };
  }
}

function choosePriority(random: Random): number {
  const x = random.fraction();
  if (x < 0.06) return PRIORITIES[0];
  if (x < 0.12) return PRIORITIES[1];
  // Below any cost of eviction: moving such a pod weighs nothing.
  return x < 0.15 ? PRIORITIES[2] : 0;
}

/** The pod spec of an app, apart from containers and volumes; absent fields are left out of the JSON. */
export function constraintsOf(app: App) {
  const labelSelector = { matchLabels: { app: app.name } };
  const nodeSelector: Record<string, string> = {};
  if (app.zone !== undefined) nodeSelector[ZONE] = app.zone;
  if (app.capacityType !== undefined) nodeSelector['karpenter.sh/capacity-type'] = app.capacityType;
  if (app.arch !== undefined) nodeSelector['kubernetes.io/arch'] = app.arch;
  if (app.legacy) nodeSelector.legacy = 'true';
  if (app.batch) Object.assign(nodeSelector, BATCH_LABEL);
  return {
    nodeSelector: Object.keys(nodeSelector).length === 0 ? undefined : nodeSelector,
    tolerations: app.batch ? [{ ...BATCH_TAINT, operator: 'Equal' }] : undefined,
    topologySpreadConstraints:
      app.spread === undefined
        ? undefined
        : [
            {
              maxSkew: app.spread.maxSkew,
              topologyKey: app.spread.key,
              whenUnsatisfiable: app.spread.required ? 'DoNotSchedule' : 'ScheduleAnyway',
              labelSelector,
            },
          ],
    affinity: app.apart
      ? {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey: HOSTNAME }],
          },
        }
      : undefined,
    priority: app.priority === 0 ? undefined : app.priority,
    priorityClassName: app.priority === 0 ? undefined : `priority-${app.priority}`,
  };
}
