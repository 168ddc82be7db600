import type { Plan, PlannedMove } from '../engine/plan-document.ts';
import { type Markup, markup, NOTHING } from './markup.ts';
import { count, perHour } from './money.ts';
import { consequenceInWords, moveInWords } from './plan-words.ts';

/** More nodes than these are folded away with the pods. */
const MOST_NODES = 6;

/** What to do, wave by wave; where each pod goes is folded away. */
export function movesSection({ moves }: Plan): Markup {
  if (moves.length === 0) return NOTHING;
  const numbered = moves.map((move, i) => ({ move, number: i + 1 }));
  const waves = [...Map.groupBy(numbered, ({ move }) => move.wave)].sort(([a], [b]) => a - b);
  return markup`<section aria-labelledby="moves"><h2 id="moves">${count(moves.length, 'move')}</h2>
${waves.map(([wave, inWave]) => {
  const saved = inWave.reduce((sum, { move }) => sum + move.savingsCentsPerHour, 0);
  const title = markup`<h3>Wave ${wave}: ${count(inWave.length, 'move')}, saves ${perHour(saved)}</h3>`;
  return markup`${waves.length > 1 ? title : NOTHING}${inWave.map(({ move, number }) => moveDetails(move, number))}`;
})}
</section>`;
}

function moveDetails(move: PlannedMove, number: number): Markup {
  const { nodes, placements, replacements, savingsCentsPerHour } = move;
  const named = nodes.length > MOST_NODES ? `${nodes.slice(0, MOST_NODES).join(', ')}, …` : nodes.join(', ');
  const types = replacements.map(
    ({ instanceTypes }, i) => markup`<p><b>new-${i + 1}</b> is one of: ${instanceTypes.join(', ')}</p>`,
  );
  return markup`<details class="${move.kind}"><summary><b>${number}. ${capitalized(moveInWords(move))}:</b> ${named}
<span class="consequence"><b class="good">saves ${perHour(savingsCentsPerHour)}</b>${consequenceInWords(move)}</span></summary>
${nodes.length > MOST_NODES ? markup`<p><b>Nodes:</b> ${nodes.join(', ')}</p>` : NOTHING}
${types}
${placements.length === 0 ? markup`<p>No pod has to move.</p>` : placementTable(move)}
</details>
`;
}

function placementTable({ placements }: PlannedMove): Markup {
  return markup`<table><thead><tr><th scope="col">Pod</th><th scope="col">Goes to</th></tr></thead><tbody>
${placements.map(({ pod, to }) => markup`<tr><td>${pod}</td><td>${to}</td></tr>`)}
</tbody></table>`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
