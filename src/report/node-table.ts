import type { Plan, PlannedNode } from '../engine/plan-document.ts';
import { DECISIONS, type Decision, decisionOf, decisionWords, leavingNodes } from './decision.ts';
import { type Markup, markup } from './markup.ts';
import { reasonsToStay } from './plan-words.ts';

const COLUMNS = ['Node', 'Pool', 'Type', 'Zone', 'Capacity', '$/h', 'Used', 'Decision', 'Why'];

/** Every node and every reason; the script sorts and filters it. */
export function nodeTable(plan: Plan): Markup {
  const leaving = leavingNodes(plan);
  const moveOf = new Map(plan.moves.flatMap((move, i) => move.nodes.map((name) => [name, i + 1] as const)));
  return markup`<section aria-labelledby="nodes-title"><h2 id="nodes-title">All nodes</h2>
<p class="controls"><label>Find <input id="find" type="search" placeholder="name, pool, type, reason"></label>
<label>Decision <select id="decision"><option value="">any</option>${DECISIONS.filter((d) => d.decision !== 'new').map(
    ({ decision, words }) => markup`<option value="${decision}">${words}</option>`,
  )}</select></label> <output id="shown" aria-live="polite"></output></p>
<div class="scroll"><table id="nodes"><thead><tr>${COLUMNS.map(
    (title) => markup`<th scope="col"><button type="button">${title}</button></th>`,
  )}</tr></thead><tbody>
${plan.nodes.map((node) => row(node, decisionOf(node, leaving), moveOf.get(node.name)))}
</tbody></table></div></section>`;
}

function row(node: PlannedNode, decision: Decision, move: number | undefined): Markup {
  const { name, nodePool, instanceType, zone, capacityType, centsPerHour, utilization } = node;
  const price = centsPerHour === null ? '?' : (centsPerHour / 100).toFixed(3);
  const used = `${Math.round(100 * utilization)} %`;
  const reasons = move === undefined ? reasonsToStay(node) : [`by move ${move}`];
  return markup`<tr data-decision="${decision}"><td>${name}</td><td>${nodePool}</td><td>${instanceType}</td><td>${zone}</td><td>${capacityType}</td><td class="number" data-value="${centsPerHour ?? -1}">${price}</td><td class="number" data-value="${utilization}">${used}</td><td class="${decision}"><i class="dot"></i>${decisionWords(decision)}</td><td>${reasons.length === 1 ? reasons[0] : markup`<ul>${reasons.map((reason) => markup`<li>${reason}</li>`)}</ul>`}</td></tr>
`;
}
