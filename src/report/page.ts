import type { ClusterObjects } from '../engine/cluster/objects.ts';
import type { Plan } from '../engine/plan-document.ts';
import { DECISIONS } from './decision.ts';
import { type Markup, markup, NOTHING } from './markup.ts';
import { count, grouped, perHour, perMonth } from './money.ts';
import { movesSection } from './moves-section.ts';
import { nodeTable } from './node-table.ts';
import { type Box, packing } from './packing.ts';
import { packingPicture } from './packing-picture.ts';
import { framed } from './page-frame.ts';
import { SCRIPT } from './page-script.ts';
import { STYLE_SHEET } from './page-style.ts';
import { effortInWords, severalAtOnceInWords, unpricedInWords } from './plan-words.ts';
import { shelves } from './shelves.ts';

/** All that the page may run. A change of one letter changes its hash: the test of the page says the new one. */
const SCRIPT_SHEET = { text: SCRIPT, hash: 'sha256-0AbeY+G125aCLtKvVPN0zArDoSWXTsIQMFq8CNksdOw=' };

/** A plan as one HTML file that asks for nothing else: the money, the packing before and after, what moves, why the rest stays. */
export function renderHtml(plan: Plan, cluster: ClusterObjects): string {
  const boxes = packing(plan, cluster);
  return framed({
    title: `Decant plan: ${headlineText(plan)}`,
    styles: [STYLE_SHEET],
    script: SCRIPT_SHEET,
    body: markup`${header(plan)}
<main>
${sides(plan, boxes)}
${movesSection(plan)}
${nodeTable(plan)}
</main>`,
  });
}

function headlineText({ totals, moves }: Plan): string {
  const now = perHour(totals.centsPerHour);
  return moves.length === 0 ? `${now}, nothing to do` : `${now} → ${perHour(totals.plannedCentsPerHour)}`;
}

function header(plan: Plan): Markup {
  const { totals, moves, now } = plan;
  const { centsPerHour, plannedCentsPerHour, savingsCentsPerHour: saved } = totals;
  const share = centsPerHour > 0 ? ` (${((100 * saved) / centsPerHour).toFixed(1)} %)` : '';
  const waves = new Set(moves.map((move) => move.wave)).size;
  const lead =
    moves.length === 0
      ? markup`Every node earns its place, or something keeps it: the table says what.`
      : markup`<b class="good">Saves ${perHour(saved)}${share}</b>, ${perMonth(saved)} a month, for ${count(totals.evictions, 'eviction')} in ${count(moves.length, 'move')}${waves > 1 ? `, ${count(waves, 'wave')}` : ''}.`;
  return markup`<header>
<h1>${perHour(centsPerHour)} ${moves.length === 0 ? NOTHING : markup`→ <span class="good">${perHour(plannedCentsPerHour)}</span>`}</h1>
<p class="lead">${lead}</p>
${moves.length === 0 ? NOTHING : bar(plannedCentsPerHour, centsPerHour)}
<p class="quiet">${count(totals.nodes, 'node')}, ${count(totals.pods, 'pod')} at ${now}. ${effortInWords(plan)} ${unpricedInWords(plan) ?? ''} ${severalAtOnceInWords(plan) ?? ''}</p>
</header>`;
}

/** What is left of the price. */
function bar(planned: number, now: number): Markup {
  const share = Math.round((1000 * Math.max(0, planned)) / Math.max(now, planned, 1e-9));
  return markup`<svg class="bar" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true"><rect class="planned" width="${share}" height="12"/><rect class="saved" x="${share}" width="${1000 - share}" height="12"/></svg>`;
}

function sides({ totals, moves }: Plan, boxes: readonly Box[]): Markup {
  const places = shelves(boxes);
  const after = boxes.filter((box) => box.after !== undefined).length;
  const side = (moment: 'before' | 'after', caption: string) =>
    markup`<figure><figcaption>${caption}</figcaption>${packingPicture(places, moment, caption)}</figure>`;
  const before = side('before', `Now: ${count(totals.nodes, 'node')}, ${perHour(totals.centsPerHour)}`);
  const planned = side('after', `Planned: ${count(after, 'node')}, ${perHour(totals.plannedCentsPerHour)}`);
  return markup`<section aria-labelledby="packing"><h2 id="packing">Where pods run</h2>
${legend(boxes)}
<div class="sides">${before}${moves.length === 0 ? NOTHING : planned}</div></section>`;
}

function legend(boxes: readonly Box[]): Markup {
  const entries = DECISIONS.flatMap(({ decision, words }) => {
    const n = boxes.filter((box) => box.decision === decision).length;
    return n === 0 ? [] : [markup`<li class="${decision}"><i class="dot"></i>${words} (${grouped(String(n))})</li>`];
  });
  const moving = boxes.reduce((sum, { after = [] }) => sum + after.filter((layer) => layer.moves).length, 0);
  const pods =
    moving === 0 ? [] : [markup`<li><i class="dot moves"></i>pods that move (${grouped(String(moving))})</li>`];
  return markup`<ul class="legend">${[...pods, ...entries]}</ul>
<p class="quiet">A box is a node, large if it has much cpu (wide) and memory (tall). Pods fill it from below: cpu on the left, memory on the right.</p>`;
}
