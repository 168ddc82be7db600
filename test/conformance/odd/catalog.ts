import type { Draft, OfferingDraft, TypeDraft } from './draft.ts';
import { ARCH, CAPACITY_TYPE, CPU, FAMILY, INSTANCE_TYPE, MEMORY, OS, SIZE, ZONE } from './names.ts';
import type { Json, JsonObject, Labels } from './shapes.ts';

/** name, architecture, GiB per vCPU, dollars per vCPU and hour. */
const FAMILIES: readonly [string, string, number, number][] = [
  ['m5', 'amd64', 4, 0.048],
  ['m6a', 'amd64', 4, 0.0432],
  ['m7i', 'amd64', 4, 0.0504],
  ['m7a', 'amd64', 4, 0.05796],
  ['c5', 'amd64', 2, 0.0425],
  ['c6a', 'amd64', 2, 0.03825],
  ['c7a', 'amd64', 2, 0.05132],
  ['r5', 'amd64', 8, 0.063],
  ['r6a', 'amd64', 8, 0.0567],
  ['r7a', 'amd64', 8, 0.07607],
  ['m6g', 'arm64', 4, 0.0386],
  ['m7g', 'arm64', 4, 0.0408],
  ['c7g', 'arm64', 2, 0.0363],
  ['r7g', 'arm64', 8, 0.05355],
];
const SIZES: readonly [string, number, number][] = [
  ['medium', 1, 12],
  ['large', 2, 29],
  ['xlarge', 4, 58],
  ['2xlarge', 8, 58],
  ['4xlarge', 16, 110],
  ['8xlarge', 32, 110],
];

export function makeCatalog(d: Draft): void {
  const r = d.random;
  const amd = r.some(
    FAMILIES.filter((f) => f[1] === 'amd64'),
    d.families,
  );
  const arm = r.some(
    FAMILIES.filter((f) => f[1] === 'arm64'),
    r.int(0, 2),
  );
  for (const [family, arch, gib, price] of [...amd, ...arm]) {
    for (const [size, cpu, pods] of SIZES) {
      if (cpu === 1 && !r.chance(0.5)) continue;
      const type: TypeDraft = {
        name: `${family}.${size}`,
        arch,
        os: ['linux'],
        cpu,
        memoryMi: gib * 1024 * cpu,
        pods,
        extra: {},
        offerings: [],
      };
      for (const zone of d.zones) type.offerings.push(...bothOfferings(d, zone, price * cpu));
      d.types.push(type);
    }
  }
}

export function bothOfferings(d: Draft, zone: string, onDemand: number): OfferingDraft[] {
  const od = round6(onDemand);
  const spot = round6(od * (0.28 + 0.2 * d.random.next()));
  return [
    { zone, capacityType: 'on-demand', price: od, available: true },
    { zone, capacityType: 'spot', price: spot, available: true },
  ];
}

export function round6(x: number): number {
  return Math.round(x * 1e6) / 1e6;
}

/** The labels that kwok derives, and that a node of the type carries. */
export function typeLabels(t: TypeDraft): Labels {
  const [family, size] = t.name.split('.');
  const labels: Labels = {
    [INSTANCE_TYPE]: t.name,
    [ARCH]: t.arch,
    [OS]: t.os[0] ?? 'linux',
    [FAMILY]: family ?? t.name,
    [SIZE]: size ?? String(t.cpu),
    [CPU]: String(t.cpu),
    [MEMORY]: memory(t.memoryMi),
  };
  for (const q of t.requirements ?? []) {
    if (q.operator === 'In' && q.values?.length === 1) labels[q.key] = q.values[0] as string;
  }
  return labels;
}

/** In canonical form, as Go prints it: kwok makes a label of it. */
export function memory(mi: number): string {
  return mi % 1024 === 0 ? `${mi / 1024}Gi` : `${mi}Mi`;
}

const RESERVATION_ID = 'karpenter.k8s.aws/capacity-reservation-id';

export function writeType(d: Draft, t: TypeDraft): JsonObject {
  const out: JsonObject = {
    name: t.name,
    architecture: t.arch,
    operatingSystems: t.os,
    resources: { cpu: String(t.cpu), memory: memory(t.memoryMi), pods: String(t.pods), ...t.extra },
    offerings: t.offerings.map((o) => writeOffering(d, o)),
  };
  if (t.allocatable) out.allocatable = { ...t.allocatable };
  if (t.volumeLimits) out.volumeAttachmentLimits = { ...t.volumeLimits };
  if (t.requirements) out.requirements = t.requirements.map((q) => ({ ...q }));
  return out;
}

function writeOffering(d: Draft, o: OfferingDraft): Json {
  const out: JsonObject = { Price: o.price };
  if (!o.available || !d.shortOfferings) out.Available = o.available;
  if (d.shortOfferings && o.reservation === undefined) return { ...out, zone: o.zone, capacityType: o.capacityType };
  const requirements: Json[] = [
    { key: CAPACITY_TYPE, operator: 'In', values: [o.capacityType] },
    { key: ZONE, operator: 'In', values: [o.zone] },
  ];
  if (o.reservation !== undefined) requirements.push({ key: RESERVATION_ID, operator: 'In', values: [o.reservation] });
  if (o.slots !== undefined) out.ReservationCapacity = o.slots;
  return { ...out, Requirements: requirements };
}
