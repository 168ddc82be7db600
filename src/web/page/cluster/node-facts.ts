import type { Refusal } from '../../../engine/refusal.ts';
import { type Decision, decisionWords } from '../../../report/decision.ts';
import { count, perHour } from '../../../report/money.ts';
import type { ClusterColumns } from '../../api.ts';

/** One node of the columns, with its texts. */
export interface NodeFacts {
  readonly index: number;
  readonly name: string;
  readonly pool: string;
  readonly zone: string;
  readonly type: string;
  readonly capacityType: string;
  readonly centsPerHour: number | null;
  readonly utilization: number;
  readonly decision: Decision;
  /** Why it stays, or in which move it goes. */
  readonly reason: string;
  readonly refusal: Refusal['code'] | undefined;
  readonly move: number;
  /** Such as "drifted"; '' for most. */
  readonly mark: string;
  readonly pods: number;
}

export function nodeFacts({ names, nodes }: ClusterColumns, index: number): NodeFacts {
  const move = nodes.move[index];
  return {
    index,
    name: nodes.name[index],
    pool: names.pools[nodes.pool[index]] ?? '',
    zone: names.zones[nodes.zone[index]] ?? '',
    type: names.types[nodes.type[index]] ?? '',
    capacityType: names.capacityTypes[nodes.capacityType[index]] ?? '',
    centsPerHour: nodes.centsPerHour[index],
    utilization: nodes.utilization[index],
    decision: names.decisions[nodes.decision[index]],
    reason: move > 0 ? `by move ${move}` : (names.reasons[nodes.reason[index]] ?? ''),
    refusal: names.refusals[nodes.refusal[index]],
    move,
    mark: names.marks[nodes.mark[index]] ?? '',
    pods: nodes.firstPod[index + 1] - nodes.firstPod[index],
  };
}

export function allNodes(packing: ClusterColumns): readonly NodeFacts[] {
  return packing.nodes.name.map((_, i) => nodeFacts(packing, i));
}

export function podNameAt({ names, pods }: ClusterColumns, pod: number): string {
  return `${names.namespaces[pods.namespace[pod]]}/${pods.name[pod]}`;
}

/** The node as text, for tooltips and screen readers. */
export function nodeInWords(node: NodeFacts): string {
  const { name, type, capacityType, zone, utilization, pods, decision, reason, mark } = node;
  const facts = [
    name,
    type,
    capacityType,
    zone,
    mark,
    priceInWords(node),
    `${wholePercent(utilization)} used`,
    count(pods, 'pod'),
  ];
  return `${facts.filter(Boolean).join(', ')}: ${decisionWords(decision)}${reason === '' ? '' : `, ${reason}`}`;
}

export function priceInWords({ centsPerHour }: Pick<NodeFacts, 'centsPerHour'>): string {
  return centsPerHour === null ? 'no price known' : perHour(centsPerHour);
}

export function poolTitle({ pool }: Pick<NodeFacts, 'pool'>): string {
  return pool === '' ? 'no NodePool' : `pool ${pool}`;
}

export function wholePercent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

export function cpuInWords(millicores: number): string {
  return millicores >= 1000 ? `${tenth(millicores / 1000)} cpu` : `${millicores}m cpu`;
}

export function memoryInWords(mebibytes: number): string {
  return mebibytes >= 1024 ? `${tenth(mebibytes / 1024)} GiB` : `${Math.round(mebibytes)} MiB`;
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
