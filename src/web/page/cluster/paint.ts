import { DECISIONS, type Decision } from '../../../report/decision.ts';
import { grouped } from '../../../report/money.ts';
import type { ClusterColumns } from '../../api.ts';
import { canvasFont, colour } from '../theme.ts';
import { boxParts, isDetailed, isMovingByPod } from './glass.ts';
import type { NodePlace, PictureLayout } from './picture-layout.ts';

export interface Painting {
  readonly packing: ClusterColumns;
  readonly layout: PictureLayout;
  /** Nodes that the reader filtered for; others are drawn faintly. */
  readonly isMeant?: (node: number) => boolean;
}

/**
 * Draws the whole picture, one colour after the other: changing it for each of 100,000 boxes would dominate the time.
 */
export function paint(context: CanvasRenderingContext2D, { packing, layout, isMeant }: Painting): void {
  paintNodes(context, packing, layout.places);
  if (isMeant !== undefined) tellApart(context, layout.places, isMeant);
  context.fillStyle = colour('quiet');
  // The font grows with the screen, as on the page.
  context.font = canvasFont(0.87);
  for (const { group, nodes, x, y } of layout.captions) {
    const size = ` (${grouped(String(nodes))})`;
    const room = layout.width - x - context.measureText(size).width;
    context.fillText(`${fitting(context, group, room)}${size}`, x, y);
  }
}

/** The text, shortened to fit. */
function fitting(context: CanvasRenderingContext2D, text: string, room: number): string {
  const width = context.measureText(text).width;
  if (width <= room) return text;
  const letters = Math.floor((text.length * room) / width) - 2;
  return `${text.slice(0, Math.max(1, letters))}…`;
}

function paintNodes(context: CanvasRenderingContext2D, packing: ClusterColumns, places: readonly NodePlace[]): void {
  const { names, nodes } = packing;
  const moving = isMovingByPod(packing);
  const byDecision = Map.groupBy(places, ({ node }) => names.decisions[nodes.decision[node]]);
  const leaving: [number, number, number, number][] = [];
  for (const { decision } of DECISIONS) {
    const own = byDecision.get(decision) ?? [];
    if (own.length === 0) continue;
    context.fillStyle = colour(decision);
    for (const { x, y, width, height } of own) context.fillRect(x, y, width, height);
    context.fillStyle = colour('glass');
    for (const place of own) {
      const { x, y, width, height } = place;
      const rim = rimOf(decision, place);
      context.fillRect(x + rim, y + rim, Math.max(0, width - 2 * rim), Math.max(0, height - 2 * rim));
    }
    context.fillStyle = colour(`${decision}-pod`);
    for (const place of own) {
      const detailed = isDetailed(place);
      for (const { moves, x, y, width, height } of boxParts(packing, moving, place, rimOf(decision, place), detailed)) {
        const seam = detailed && height > 2.5 ? 0.75 : 0;
        if (moves) leaving.push([x, y + seam, width, height - seam]);
        else context.fillRect(x, y + seam, width, height - seam);
      }
    }
  }
  context.fillStyle = colour('moves');
  for (const [x, y, width, height] of leaving) context.fillRect(x, y, width, height);
  paintMarks(context, packing, places);
}

/** A notch in the corner of drifted, leaving, emptying, protected nodes and those that are not ready. */
function paintMarks(context: CanvasRenderingContext2D, { nodes }: ClusterColumns, places: readonly NodePlace[]): void {
  context.fillStyle = colour('ink');
  for (const { node, x, y, width, height } of places) {
    if (nodes.mark[node] < 0) continue;
    const size = Math.min(7, 0.3 * Math.min(width, height));
    context.beginPath();
    context.moveTo(x + width - size, y);
    context.lineTo(x + width, y);
    context.lineTo(x + width, y + size);
    context.fill();
  }
}

/** Changes have a thick rim if the box is large enough. */
function rimOf(decision: Decision, { width }: NodePlace): number {
  const isChange = decision === 'delete' || decision === 'replace' || decision === 'new';
  return isChange ? Math.min(2.5, Math.max(1, 0.06 * width)) : Math.min(1, 0.06 * width);
}

function tellApart(
  context: CanvasRenderingContext2D,
  places: readonly NodePlace[],
  isMeant: (node: number) => boolean,
): void {
  context.fillStyle = colour('paper');
  context.globalAlpha = 0.78;
  for (const { node, x, y, width, height } of places) if (!isMeant(node)) context.fillRect(x, y, width, height);
  context.globalAlpha = 1;
  context.strokeStyle = colour('ink');
  context.lineWidth = 1.5;
  for (const { node, x, y, width, height } of places) if (isMeant(node)) context.strokeRect(x, y, width, height);
}
