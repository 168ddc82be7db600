import type { ClusterObjects } from '../cluster/objects.ts';
import { CAPACITY_TYPE, NODE_POOL, ZONE } from '../cluster/well-known.ts';
import { totalsOfAll } from '../disruption/balanced.ts';
import { remainingBudgets } from '../disruption/budgets.ts';
import { assess, type Candidate, isEmpty, refusalsByMethods } from '../disruption/candidates.ts';
import { compile } from '../scheduling/compile.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { Simulation } from '../scheduling/simulation.ts';
import { operatorOf } from '../selection/requirement.ts';
import { STOCK_RULES } from '../settings.ts';
import type { Consolidation, Move } from './consolidate.ts';
import type { Replacement } from './replacement.ts';
import type { Method, StockAnswer, StockCommand, StockNode, StockReplacement } from './stock-answer.ts';
import { alone, emptiness, multiNode, singleNode } from './stock-methods.ts';

const NOTHING: StockCommand = { decision: 'no-op', nodes: [], replacements: [], savings: 0 };

/** Everything that the recorded answers of the real Karpenter say about a cluster, from our engine. */
export function askStock(objects: ClusterObjects): StockAnswer {
  const cluster = compile(objects, STOCK_RULES.settings);
  const simulation = new Simulation(cluster);
  const assessed = cluster.rows.map((_, row) =>
    cluster.rows[row].tracked ? assess(cluster, row, STOCK_RULES) : undefined,
  );
  const candidates = assessed.flatMap((a) => (a !== undefined && 'candidate' in a ? [a.candidate] : []));
  const totals = totalsOfAll(cluster, candidates);
  const empty = candidates.filter((c) => isEmpty(c) && refusalsByMethods(cluster, c, STOCK_RULES).length === 0);
  const others = candidates.filter((c) => !isEmpty(c) && refusalsByMethods(cluster, c, STOCK_RULES).length === 0);
  const verdicts = new Map<Candidate, Consolidation>();
  const verdictOf = (c: Candidate) => {
    let known = verdicts.get(c);
    if (known === undefined) {
      known = alone(simulation, c, totals);
      verdicts.set(c, known);
    }
    return known;
  };
  const moveOf = (c: Candidate) => {
    const verdict = verdictOf(c);
    return 'move' in verdict ? verdict.move : undefined;
  };
  const command = (move: Move | undefined) => (move === undefined ? NOTHING : toCommand(cluster, move));
  const budgetsFor = (reason: 'Empty' | 'Underutilized') => remainingBudgets(objects, cluster.rows, reason);

  const nodes: StockNode[] = [];
  assessed.forEach((a, row) => {
    if (a === undefined) return;
    const { name, labels } = cluster.rows[row];
    const nodePool = labels[NODE_POOL] ?? '';
    if (!('candidate' in a)) {
      nodes.push({
        name,
        nodePool,
        candidate: false,
        price: 0,
        disruptionCost: 0,
        rescheduleDisruptionCost: 0,
        shouldDisrupt: {},
      });
      return;
    }
    const c = a.candidate;
    const underutilized = others.includes(c);
    nodes.push({
      name,
      nodePool,
      candidate: true,
      price: c.price,
      disruptionCost: c.evictionCost,
      rescheduleDisruptionCost: c.rescheduleCost,
      shouldDisrupt: { empty: empty.includes(c), multi: underutilized, single: underutilized } satisfies Record<
        Method,
        boolean
      >,
      alone: underutilized ? command(moveOf(c)) : undefined,
    });
  });
  return {
    nodes: nodes.sort((a, b) => (a.name < b.name ? -1 : 1)),
    budgets: {
      Empty: Object.fromEntries(budgetsFor('Empty')),
      Underutilized: Object.fromEntries(budgetsFor('Underutilized')),
    },
    nodePoolTotals: Object.fromEntries(totals),
    methods: {
      empty: command(emptiness(empty, budgetsFor('Empty'))),
      multi: command(multiNode(simulation, others, budgetsFor('Underutilized'), totals)),
      single: command(singleNode(others, budgetsFor('Underutilized'), moveOf)),
    },
  };
}

function toCommand(cluster: CompiledCluster, move: Move): StockCommand {
  return {
    decision: move.kind,
    nodes: move.candidates.map((c) => c.name).sort(),
    replacements: move.replacements.map((r) => toReplacement(cluster, r)),
    savings: Math.round(move.savings * 1e9) / 1e9,
  };
}

function toReplacement(cluster: CompiledCluster, r: Replacement): StockReplacement {
  const { cheapest } = cluster.types.prices(r.requirements);
  return {
    nodePool: cluster.templates[r.template].pool.name,
    capacityTypes: values(cluster, r, CAPACITY_TYPE),
    zones: values(cluster, r, ZONE),
    pods: r.pods.map((i) => `${cluster.pods[i].namespace}/${cluster.pods[i].name}`).sort(),
    instanceTypes: r.types
      .map((t) => ({ name: cluster.types.list[t].name, price: cheapest[t] === Infinity ? -1 : cheapest[t] }))
      .sort((a, b) => a.price - b.price || (a.name < b.name ? -1 : 1)),
  };
}

export function values(cluster: CompiledCluster, r: Replacement, key: string): string[] {
  const requirement = cluster.space.require(r.requirements, key);
  if (requirement === undefined) return ['*'];
  const operator = operatorOf(requirement);
  const sorted = [...requirement.values].sort();
  return operator === 'In' ? sorted : [`${operator}:${sorted.join(',')}`];
}
