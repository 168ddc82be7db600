import { labelOf, type NodeObject, type PodObject } from '../../engine/cluster/objects.ts';
import { NODE_POOL } from '../../engine/cluster/well-known.ts';
import { allocateCost, type CostAllocation, type CostGroup, groupCosts } from '../../engine/cost/allocation.ts';
import { workloadNames } from '../../engine/disruption/workloads.ts';
import { UsageError } from '../flags/usage-error.ts';
import { type InputOptions, loadInput, tell } from '../input/load-input.ts';
import { documentText } from '../output/document-text.ts';
import { EXIT } from '../output/exit.ts';
import { print } from '../output/terminal-text.ts';
import { renderCost } from './render.ts';

export interface CostOptions extends InputOptions {
  readonly by: string;
  readonly limit?: number;
  readonly output: 'text' | 'json' | 'yaml';
}

/** What `-o json` prints. */
export interface CostDocument {
  readonly apiVersion: 'decant.sh/v1alpha1';
  readonly kind: 'Cost';
  readonly now: string;
  readonly by: string;
  readonly totals: {
    readonly nodes: number;
    readonly pods: number;
    readonly centsPerHour: number;
    readonly allocatedCentsPerHour: number;
    readonly idleCentsPerHour: number;
    readonly unpricedNodes: readonly string[];
  };
  readonly groups: readonly CostGroup[];
}

export async function costCommand(options: CostOptions): Promise<number> {
  const { cluster, notices } = await loadInput(options);
  const allocation = allocateCost(cluster);
  const nameOf = grouping(options.by, cluster.nodes, workloadNames(cluster.workloads));
  tell(notices);
  const document = costDocument(allocation, groupCosts(allocation.pods, nameOf), options.by, cluster.nowMs);
  if (options.output === 'text') print(renderCost(document, options.limit));
  else print(await documentText({ ...document, groups: document.groups.slice(0, options.limit) }, options.output));
  return EXIT.ok;
}

function costDocument(
  { centsPerHour, pods, nodes, unpriced }: CostAllocation,
  groups: readonly CostGroup[],
  by: string,
  nowMs: number,
): CostDocument {
  return {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'Cost',
    now: new Date(nowMs).toISOString(),
    by,
    totals: {
      nodes: nodes.length + unpriced.length,
      pods: pods.length,
      centsPerHour,
      allocatedCentsPerHour: pods.reduce((sum, p) => sum + p.centsPerHour, 0),
      idleCentsPerHour: nodes.reduce((sum, n) => sum + n.idleCentsPerHour, 0),
      unpricedNodes: unpriced,
    },
    groups,
  };
}

const LABEL = /^label:(.+)$/;
/** Where a label or a pool is absent. */
const NONE = '(none)';

function grouping(
  by: string,
  nodes: readonly NodeObject[],
  workloadOf: (pod: PodObject) => string,
): (pod: PodObject) => string {
  const label = LABEL.exec(by)?.[1];
  if (label !== undefined) return (pod) => labelOf(pod.labels, label) ?? NONE;
  const poolOf = new Map(nodes.map(({ name, labels }) => [name, labelOf(labels, NODE_POOL) ?? NONE]));
  switch (by) {
    case 'namespace':
      return (pod) => pod.namespace;
    case 'workload':
      return workloadOf;
    case 'node':
      return (pod) => pod.nodeName;
    case 'pool':
      return (pod) => poolOf.get(pod.nodeName) ?? NONE;
  }
  throw new UsageError(`--by ${by}: must be namespace, workload, pool, node, or label:KEY such as label:team`);
}
