import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { CAPACITY_TYPE, NODE_POOL, ZONE } from '../../src/engine/cluster/well-known.ts';
import { totalsOfAll } from '../../src/engine/disruption/balanced.ts';
import { consolidationBudgets } from '../../src/engine/disruption/budgets.ts';
import { type Candidate, isEmpty } from '../../src/engine/disruption/candidates.ts';
import { assess, refusalsByMethods } from '../../src/engine/gates/assessment.ts';
import { type KarpenterVersion, NEWEST_KARPENTER } from '../../src/engine/karpenter-release.ts';
import { alone } from '../../src/engine/moves/alone.ts';
import type { Consolidation, Move } from '../../src/engine/moves/move.ts';
import { labelValues, type Replacement } from '../../src/engine/moves/replacement.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import type { CompiledCluster } from '../../src/engine/scheduling/compiled-cluster.ts';
import { Simulation } from '../../src/engine/scheduling/simulation.ts';
import type { SearchProblem } from '../../src/engine/search/problem.ts';
import { emptiness } from '../../src/engine/search/stock/emptiness.ts';
import { multiNode } from '../../src/engine/search/stock/multi-node.ts';
import { singleNode } from '../../src/engine/search/stock/single-node.ts';
import { type Rules, STOCK_RULES } from '../../src/engine/settings.ts';
import type { Method, StockAnswer, StockCommand, StockNode, StockReplacement } from './stock-answer.ts';

const NOTHING: StockCommand = { decision: 'no-op', nodes: [], replacements: [], savings: 0 };

/** Everything that the recorded answers of the real Karpenter say about a cluster, from our engine. */
export function askStock(objects: ClusterObjects, karpenter: KarpenterVersion = NEWEST_KARPENTER): StockAnswer {
  const rules: Rules = { ...STOCK_RULES, settings: { ...STOCK_RULES.settings, karpenter } };
  const cluster = compile(objects, rules.settings);
  const simulation = new Simulation(cluster);
  const assessed = cluster.rows.map((_, row) => (cluster.rows[row].tracked ? assess(cluster, row, rules) : undefined));
  const candidates = assessed.flatMap((a) => (a !== undefined && 'candidate' in a ? [a.candidate] : []));
  const totals = totalsOfAll(cluster, candidates);
  const empty = candidates.filter((c) => isEmpty(c) && refusalsByMethods(cluster, c, rules).length === 0);
  const others = candidates.filter((c) => !isEmpty(c) && refusalsByMethods(cluster, c, rules).length === 0);
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
  const budgets = consolidationBudgets(objects, cluster.rows);
  const problem = (candidates: readonly Candidate[]): SearchProblem => ({
    simulation,
    candidates,
    totals,
    budgets,
    maxReplacements: 1,
    mayFollow: false,
    maxWorkloadEvictions: 0,
    knownAlone: moveOf,
  });

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
      Empty: Object.fromEntries(budgets.Empty),
      Underutilized: Object.fromEntries(budgets.Underutilized),
    },
    nodePoolTotals: Object.fromEntries(totals),
    methods: {
      empty: command(emptiness.propose(problem(empty))),
      multi: command(multiNode.propose(problem(others))),
      single: command(singleNode.propose(problem(others))),
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
    capacityTypes: labelValues(cluster, r, CAPACITY_TYPE),
    zones: labelValues(cluster, r, ZONE),
    pods: r.pods.map((i) => `${cluster.pods[i].namespace}/${cluster.pods[i].name}`).sort(),
    instanceTypes: r.types
      .map((t) => ({ name: cluster.types.list[t].name, price: cheapest[t] === Infinity ? -1 : cheapest[t] }))
      .sort((a, b) => a.price - b.price || (a.name < b.name ? -1 : 1)),
  };
}
