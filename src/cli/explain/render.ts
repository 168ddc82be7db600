import type { MoveExplanation } from '../../engine/explanation/move-explanation.ts';
import type { NodeExplanation } from '../../engine/explanation/node-explanation.ts';
import type { PodExplanation } from '../../engine/explanation/pod-explanation.ts';
import type { Layout } from '../plan/render.ts';
import { renderMoveExplanation } from './render-move.ts';
import { renderNodeExplanation } from './render-node.ts';
import { renderPodExplanation } from './render-pod.ts';

/** An explanation as text: the answer first, then what would change it, then its details. */
export function renderExplanation(e: NodeExplanation | PodExplanation | MoveExplanation, layout: Layout): string {
  switch (e.kind) {
    case 'NodeExplanation':
      return text(renderNodeExplanation(e, layout));
    case 'PodExplanation':
      return text(renderPodExplanation(e, layout));
    case 'MoveExplanation':
      return text(renderMoveExplanation(e, layout));
  }
}

function text(sections: readonly (readonly string[])[]): string {
  const told = sections.filter((lines) => lines.length > 0);
  return `${told.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
