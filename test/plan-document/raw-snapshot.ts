/** A snapshot as its JSON has it, with no help from the code that reads it for the engine. */
export interface RawSnapshot {
  readonly instanceTypes: readonly RawType[];
  readonly objects: readonly RawObject[];
}

export interface RawObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly kind: string }[];
    readonly deletionTimestamp?: string;
  };
  readonly spec?: RawSpec;
  readonly status?: RawStatus;
}

interface RawSpec {
  readonly nodeName?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  readonly tolerations?: readonly Toleration[];
  readonly containers?: readonly { readonly resources?: { readonly requests?: Quantities } }[];
  readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly disruption?: { readonly budgets?: readonly { readonly nodes: string; readonly schedule?: string }[] };
  readonly template?: {
    readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
    readonly spec: RawSpec;
  };
  readonly requirements?: readonly Requirement[];
}

interface RawStatus {
  readonly phase?: string;
  readonly allocatable?: Quantities;
  readonly disruptionsAllowed?: number;
}

interface RawType {
  readonly name: string;
  readonly resources: Quantities;
  readonly allocatable?: Quantities;
  readonly architecture?: string;
  readonly offerings: readonly {
    readonly Price: number;
    readonly Available: boolean;
    readonly Requirements: readonly Requirement[];
  }[];
}

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

type Quantities = Readonly<Record<string, string>>;
type Amounts = Readonly<Record<string, number>>;

const UNIT: Readonly<Record<string, number>> = {
  '': 1,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
};

function amountsOf(quantities: Quantities = {}): Amounts {
  return Object.fromEntries(
    Object.entries(quantities).map(([name, text]) => {
      const [, number, unit] = /^([\d.]+)([a-zA-Z]*)$/.exec(text) ?? [];
      if (UNIT[unit] === undefined) throw new Error(`quantity ${text}`);
      return [name, Number(number) * UNIT[unit]];
    }),
  );
}

export function sum(list: readonly Amounts[]): Amounts {
  const total: Record<string, number> = {};
  for (const amounts of list) for (const [name, n] of Object.entries(amounts)) total[name] = (total[name] ?? 0) + n;
  return total;
}

export function podRequests({ spec }: { readonly spec?: RawSpec }): Amounts {
  return sum([{ pods: 1 }, ...(spec?.containers ?? []).map((c) => amountsOf(c.resources?.requests))]);
}

/** What is asked for beyond what there is, in words. */
export function shortage(asked: Amounts, available: Amounts): string[] {
  return Object.entries(asked)
    .filter(([name, n]) => n > (available[name] ?? 0) * (1 + 1e-9))
    .map(([name, n]) => `${n} ${name} of ${available[name] ?? 0}`);
}

export function nodeCapacity({ status }: RawObject): Amounts {
  return amountsOf(status?.allocatable);
}

/** As the recorded clusters have it: 100m of cpu and 10Mi of memory are withheld where the type does not say. */
export function typeCapacity({ resources, allocatable }: RawType): Amounts {
  if (allocatable !== undefined) return amountsOf(allocatable);
  const all = amountsOf(resources);
  return { ...all, cpu: all.cpu - 0.1, memory: all.memory - 10 * 2 ** 20 };
}

export function tolerates(tolerations: readonly Toleration[] = [], taints: readonly Taint[] = []): boolean {
  return taints
    .filter((t) => t.effect !== 'PreferNoSchedule')
    .every((taint) =>
      tolerations.some(
        ({ key, operator = 'Equal', value = '', effect }) =>
          (effect === undefined || effect === '' || effect === taint.effect) &&
          (key === undefined || key === '' || key === taint.key) &&
          (operator === 'Exists' || value === (taint.value ?? '')),
      ),
    );
}

/** Dollars per hour by zone and capacity type, of offerings that can be had or of all. */
export function prices(type: RawType, onlyAvailable: boolean): { zone: string; capacityType: string; price: number }[] {
  return type.offerings
    .filter((o) => o.Available || !onlyAvailable)
    .map((o) => {
      const only = (key: string) => o.Requirements.find((r) => r.key === key)?.values?.[0] ?? '';
      return {
        zone: only('topology.kubernetes.io/zone'),
        capacityType: only('karpenter.sh/capacity-type'),
        price: o.Price,
      };
    });
}
