import { commitmentsOf } from './cluster/commitment.ts';
import { ignoredOverlays, typesAsPriced } from './cluster/node-overlays.ts';
import { type PriceCoverage, priceCoverage, quoteOf } from './cluster/node-price.ts';
import type { ClusterObjects, InstanceType } from './cluster/objects.ts';
import type { PriceOrigin } from './cluster/price-origin.ts';
import { INSTANCE_TYPE, NODE_POOL, OS, WINDOWS } from './cluster/well-known.ts';
import type { PlanPrices } from './plan-document.ts';

const TOLERATED_SHARE = 0.05;
const COMMITMENTS_IGNORED = 'commitments are ignored, as in Karpenter: every node costs its list price';

/** Origin of the nodes' prices, the number of nodes without one, and doubts. */
export function planPrices(objects: ClusterObjects, origin: PriceOrigin, compat = false): PlanPrices {
  const { name, atMs, warnings = [], dollarsByPool } = origin;
  const overlaid = typesAsPriced(objects, compat);
  const isRepriced =
    overlaid !== objects.instanceTypes && objects.nodeOverlays.some(({ price }) => price !== undefined);
  const types = Map.groupBy(overlaid, (type) => type.name);
  const nodesBySource: Record<string, number> = {};
  const unmanaged: string[] = [];
  let [windows, dollars] = [0, 0];
  for (const { name: node, labels } of objects.nodes) {
    const variants = types.get(labels[INSTANCE_TYPE] ?? '');
    const quote = quoteOf(variants?.find((type) => isOfPool(type, labels[NODE_POOL])) ?? variants?.[0], labels);
    const source = quote === undefined ? 'none' : (quote.source ?? 'catalog');
    nodesBySource[source] = (nodesBySource[source] ?? 0) + 1;
    if (quote === undefined && labels[OS] === WINDOWS) windows++;
    if (labels[NODE_POOL] !== undefined) dollars += quote?.price ?? 0;
    else if (quote === undefined) unmanaged.push(node);
  }
  const coverage = priceCoverage(objects);
  return {
    source: isRepriced ? `${name} + NodeOverlays` : name,
    ...(atMs === undefined ? {} : { asOf: new Date(atMs).toISOString().replace('.000Z', 'Z') }),
    nodesBySource,
    unpricedVcpuPercent: coverage.unpricedVcpuPercent,
    warnings: [
      ...unpriced(coverage),
      ...(unmanaged.length === 0 || coverage.of === 'nodes'
        ? []
        : [`no price for ${nodes(unmanaged.length)} of no NodePool, such as ${unmanaged[0]}: counted as free`]),
      ...(windows === 0 ? [] : [`no price for ${nodes(windows)} with Windows: only prices of Linux are known`]),
      ...warnings,
      ...(compat && commitmentsOf(objects.instanceTypes).length > 0 ? [COMMITMENTS_IGNORED] : []),
      ...ignoredOverlays(objects, compat).map(
        (name) => `NodeOverlay ${name} is in conflict or invalid: ignored, as in Karpenter`,
      ),
      ...differentSum(dollars, dollarsByPool, poolsOf(objects)),
    ],
  };
}

function nodes(count: number): string {
  return count === 1 ? '1 node' : `${count} nodes`;
}

function isOfPool({ requirements }: InstanceType, pool: string | undefined): boolean {
  return requirements.some(({ key, values }) => key === NODE_POOL && pool !== undefined && values?.includes(pool));
}

function unpriced({ of, nodes, unpriced: some, unpricedVcpuPercent, example }: PriceCoverage): string[] {
  if (some === 0) return [];
  const share = `${some} of ${nodes} ${of}, ${unpricedVcpuPercent.toFixed(1)} % of their vCPUs`;
  return [`no price for ${share}, such as ${example}: counted as free`];
}

function poolsOf({ nodePools, nodes }: ClusterObjects): ReadonlySet<string | undefined> {
  return new Set([...nodePools.map(({ name }) => name), ...nodes.map(({ labels }) => labels[NODE_POOL])]);
}

/** Compares our sum with Karpenter's own, if it reports one. Rows of deleted pools may be left in its metrics. */
function differentSum(
  ours: number,
  dollarsByPool: PriceOrigin['dollarsByPool'],
  pools: ReadonlySet<string | undefined>,
): string[] {
  if (dollarsByPool === undefined) return [];
  const theirs = Object.entries(dollarsByPool).reduce(
    (sum, [pool, dollars]) => sum + (pools.has(pool) ? dollars : 0),
    0,
  );
  if (Math.abs(ours - theirs) <= TOLERATED_SHARE * Math.max(ours, theirs)) return [];
  return [`Karpenter counts $${theirs.toFixed(3)}/h for its nodes, these prices give $${ours.toFixed(3)}/h`];
}
