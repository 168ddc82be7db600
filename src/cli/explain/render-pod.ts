import { amounts, cents, count, listed } from '../../engine/explanation/amounts.ts';
import type { PodExplanation } from '../../engine/explanation/pod-explanation.ts';
import { hanging } from '../output/paragraph.ts';
import type { Layout } from '../plan/render.ts';

const FIXED: Readonly<Record<NonNullable<PodExplanation['fixed']>, string>> = {
  'daemon-set': 'belongs to a DaemonSet: it ends with its node',
  mirror: 'is a static pod: it ends with its node',
  finished: 'has finished: it needs no node',
  'volume-unknown': 'has a volume that cannot be resolved, so its possible nodes are unknown',
  'unsupported-affinity':
    'has a node selector or affinity that Karpenter does not support (by hostname, by field, or a restricted label), so its possible nodes are unknown',
};

export function renderPodExplanation(e: PodExplanation, layout: Layout): string[][] {
  const { width, paint } = layout;
  const lines = hanging('', `pod ${e.pod} ${verdictText(e)}`, width).map((line) => paint('bold', line));
  const where = e.node === null ? 'waits for a node' : `runs on ${e.node}`;
  lines.push(
    ...hanging('', `${where}, asks for ${amounts(e.requests)}${plannedText(e)}`, width).map((l) => paint('dim', l)),
  );
  for (const { message } of e.refusals) lines.push(...hanging('', message, width).map((l) => paint('yellow', l)));
  return [lines, takers(e, layout), others(e, layout), newNode(e, layout)];
}

function verdictText(e: PodExplanation): string {
  if (e.fixed !== undefined) return FIXED[e.fixed];
  const elsewhere = e.fits.filter(({ node }) => node !== e.node).length;
  const places = elsewhere === 0 ? 'has no other node to go to' : `could go to ${count(elsewhere, 'other node')}`;
  const fresh = e.newNode === undefined ? ', nor to a new one' : ', or to a new one';
  return elsewhere === 0 && e.newNode !== undefined ? `${places} but a new one` : `${places}${fresh}`;
}

function plannedText({ planned }: PodExplanation): string {
  if (planned === undefined) return '';
  return `; move ${planned.move} of the plan sends it to ${planned.to}${planned.rolled ? ', rolled, not evicted' : ''}`;
}

const MAX_TAKERS = 8;

function takers({ fits, node, preferences }: PodExplanation, { width, wide, paint }: Layout): string[] {
  const elsewhere = fits.filter((f) => f.node !== node);
  if (elsewhere.length === 0) return [];
  const lines = [paint('bold', 'NODES THAT WOULD TAKE IT')];
  const shown = elsewhere.slice(0, wide ? undefined : MAX_TAKERS);
  const room = Math.max(...shown.map((f) => f.node.length)) + 2;
  for (const { node: name, left } of shown)
    lines.push(...hanging(`  ${name.padEnd(room)}`, `leaves ${amounts(left)}`, width).map((l) => paint('green', l)));
  if (shown.length < elsewhere.length) lines.push(`  and ${elsewhere.length - shown.length} more (-o wide)`);
  for (const { nodes, message, example } of preferences) {
    const such = nodes === 1 ? example : `${nodes} of them, such as ${example},`;
    lines.push(...hanging('  ', `${such} only if no new node can be launched: ${message}`, width, 2));
  }
  return lines;
}

const MAX_REASONS = 6;

function others({ obstacles, closest, everywhere }: PodExplanation, { width, wide, paint }: Layout): string[] {
  if (everywhere !== undefined || obstacles.length === 0) return [];
  const total = obstacles.reduce((n, o) => n + o.nodes, 0);
  const lines = [paint('bold', `NODES THAT WOULD NOT (${total})`)];
  const shown = obstacles.slice(0, wide ? undefined : MAX_REASONS);
  for (const { nodes, message, example } of shown) {
    const such = nodes === 1 ? example : `${nodes} nodes, such as ${example}`;
    lines.push(...hanging('  ', `${such}: ${message}`, width, 2));
  }
  const rest = obstacles.slice(shown.length).reduce((n, o) => n + o.nodes, 0);
  if (rest > 0) lines.push(`  ${count(rest, 'other')}: other reasons (-o wide)`);
  if (closest !== undefined)
    lines.push(...hanging('  ', `closest is ${closest.node}, which lacks ${amounts(closest.missing)}`, width));
  return lines;
}

function newNode({ newNode: fresh, nodePools, fixed }: PodExplanation, { width, paint }: Layout): string[] {
  if (fixed !== undefined) return [];
  const lines = [paint('bold', 'A NEW NODE')];
  if (fresh !== undefined) {
    const where = [...fresh.capacityTypes, ...fresh.zones].filter((v) => v !== '*').join(', ');
    const types = listed(fresh.instanceTypes, 3);
    lines.push(
      ...hanging(
        '  ',
        `pool ${fresh.nodePool}: ${types}${where === '' ? '' : ` (${where})`}, from ${cents(fresh.centsPerHour)}`,
        width,
      ),
    );
  }
  for (const { nodePool, message } of nodePools)
    lines.push(...hanging('  ', `not of pool ${nodePool}: ${message}`, width, 2));
  return lines.length > 1 ? lines : [...lines, '  no pool can launch one'];
}
