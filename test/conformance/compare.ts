import { answersSeen, describe, replacementDifferences, sameMove, sameNodes, typesOf } from './compare-command.ts';
import { type Difference, UNSEEN_TIE } from './difference.ts';
import { couldBeEmptied } from './empty-order.ts';
import type { RecordedAlone, RecordedAnswer, RecordedMethod, RecordedNode } from './recorded-answer.ts';
import { couldComeFirst } from './single-order.ts';
import type { Method, StockAnswer, StockCommand, StockNode } from './stock-answer.ts';

const METHODS: readonly Method[] = ['empty', 'multi', 'single'];

/**
 * Every point on which our answer is none of those that Karpenter gave. Where Karpenter itself is
 * random (ties, map order), any answer that was seen is right; see the oracle's description.
 */
export function compare(answer: RecordedAnswer, ours: StockAnswer): Difference[] {
  return [
    ...compareNodes(answer, ours),
    ...compareBudgets(answer, ours),
    ...compareTotals(answer, ours),
    ...METHODS.flatMap((m) => compareMethod(answer, ours, m)),
  ];
}

function differ(where: string, field: string, theirs: unknown, ours: unknown, tie = false): Difference {
  return { where, field, theirs, ours, tie };
}

function close(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}

function compareNodes(answer: RecordedAnswer, ours: StockAnswer): Difference[] {
  const byName = new Map(ours.nodes.map((n) => [n.name, n]));
  const out: Difference[] = [];
  for (const theirs of answer.nodes ?? []) {
    const mine = byName.get(theirs.name);
    byName.delete(theirs.name);
    if (mine) out.push(...compareNode(theirs, mine));
    else out.push(differ(theirs.name, 'present', true, false));
  }
  for (const name of byName.keys()) out.push(differ(name, 'present', false, true));
  return out;
}

function compareNode(theirs: RecordedNode, mine: StockNode): Difference[] {
  if (theirs.candidate !== mine.candidate)
    return [differ(theirs.name, 'candidate', theirs.blockedBy ?? true, mine.candidate)];
  if (!theirs.candidate) return [];
  const out: Difference[] = [];
  for (const field of ['price', 'rescheduleDisruptionCost', 'disruptionCost'] as const) {
    if (!close(theirs[field], mine[field])) out.push(differ(theirs.name, field, theirs[field], mine[field]));
  }
  for (const m of METHODS) {
    const should = theirs.shouldDisrupt?.[m] ?? false;
    if (should !== (mine.shouldDisrupt[m] ?? false))
      out.push(differ(theirs.name, `shouldDisrupt.${m}`, should, !should));
  }
  if ((theirs.alone === undefined) !== (mine.alone === undefined)) {
    out.push(differ(theirs.name, 'alone', theirs.alone?.decision, mine.alone?.decision));
  } else if (theirs.alone && mine.alone) {
    out.push(...compareAlone(theirs.name, theirs.alone, mine.alone));
  }
  return out;
}

function compareAlone(name: string, theirs: RecordedAlone, mine: StockCommand): Difference[] {
  const seen = answersSeen(theirs);
  if (!seen.some((c) => sameMove(c, mine))) {
    const decided = seen.find((c) => c.decision === mine.decision);
    if (!decided)
      return [
        differ(name, 'alone.decision', theirs.reason ? `no-op: ${theirs.reason}` : describe(theirs), describe(mine)),
      ];
    return [differ(name, 'alone.instanceTypes', typesOf(decided), typesOf(mine))];
  }
  if (theirs.unstable) return [];
  return [...replacementDifferences(theirs, mine)].map(([field, a, b]) => differ(name, `alone.${field}`, a, b));
}

function compareBudgets(answer: RecordedAnswer, ours: StockAnswer): Difference[] {
  const out: Difference[] = [];
  for (const [reason, pools] of Object.entries(answer.budgets)) {
    for (const pool of new Set([...Object.keys(pools), ...Object.keys(ours.budgets[reason] ?? {})])) {
      const mine = ours.budgets[reason]?.[pool];
      if (mine !== pools[pool]) out.push(differ(`budget ${reason}`, pool, pools[pool], mine));
    }
  }
  return out;
}

function compareTotals(answer: RecordedAnswer, ours: StockAnswer): Difference[] {
  const out: Difference[] = [];
  for (const pool of new Set([...Object.keys(answer.nodePoolTotals), ...Object.keys(ours.nodePoolTotals)])) {
    const theirs = answer.nodePoolTotals[pool];
    const mine = ours.nodePoolTotals[pool];
    if (!theirs || !mine) {
      out.push(differ(`totals ${pool}`, 'present', theirs !== undefined, mine !== undefined));
      continue;
    }
    for (const field of ['cost', 'disruptionCost'] as const) {
      if (!close(theirs[field], mine[field])) out.push(differ(`totals ${pool}`, field, theirs[field], mine[field]));
    }
  }
  return out;
}

function compareMethod(answer: RecordedAnswer, ours: StockAnswer, method: Method): Difference[] {
  const theirs = answer.methods[method];
  const mine = ours.methods[method];
  const seen = theirs.distinct ?? [theirs.command];
  if (seen.some((c) => sameMove(c, mine))) return [];
  const where = `method ${method}`;
  if (unseenButPossible(answer, method, mine))
    return [differ(where, UNSEEN_TIE, describe(theirs.command), describe(mine), true)];
  const decided = seen.find((c) => c.decision === mine.decision && sameNodes(c, mine));
  const field = decided
    ? 'command.instanceTypes'
    : seen.some((c) => c.decision === mine.decision)
      ? 'command.nodes'
      : 'command.decision';
  return [differ(where, field, describe(decided ?? theirs.command), describe(mine), tied(answer, theirs, method))];
}

/** Chance may bring Karpenter to the same choice. Of several nodes at once only a run can tell. */
function unseenButPossible(answer: RecordedAnswer, method: Method, mine: StockCommand): boolean {
  if (method === 'empty') return mine.decision === 'delete' && couldBeEmptied(answer, mine.nodes);
  const [name] = mine.nodes;
  const alone = answer.nodes?.find((n) => n.name === name)?.alone;
  if (method !== 'single' || name === undefined || mine.nodes.length !== 1 || !alone) return false;
  return answersSeen(alone).some((c) => sameMove(c, mine)) && couldComeFirst(answer, name);
}

/** Two candidates of equal savings ratio stand in random order, and so do their prefixes. */
function tied(answer: RecordedAnswer, theirs: RecordedMethod, method: Method): boolean {
  const ratios = (answer.nodes ?? []).filter((n) => n.shouldDisrupt?.[method]).map((n) => n.savingsRatio);
  return !theirs.stable || new Set(ratios).size < ratios.length;
}
