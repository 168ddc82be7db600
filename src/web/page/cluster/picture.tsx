import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ClusterColumns } from '../../api.ts';
import { prepared } from '../canvas.ts';
import { repaints } from '../theme.ts';
import { useWidth } from '../width.ts';
import { boxParts, isMovingByPod, podAt } from './glass.ts';
import { type NodeFacts, nodeFacts, nodeInWords } from './node-facts.ts';
import { NodeTip, type Pointed } from './node-tip.tsx';
import { paint } from './paint.ts';
import { adjacentNode, type Direction, layOut, type NodeBox, placeAt } from './picture-layout.ts';

interface Properties {
  readonly packing: ClusterColumns;
  readonly groupOf: (node: NodeFacts) => string;
  /** Groups to place before the others. */
  readonly first?: readonly string[];
  /** Shown beside it, at the same scale. */
  readonly beside?: ClusterColumns;
  readonly isMeant?: (node: number) => boolean;
  /** Height in pixels, exceeded if nodes would become too small. */
  readonly height: number;
  readonly label: string;
  readonly open?: (name: string) => void;
}

const KEYS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/**
 * Nodes as boxes filled by pods, on two canvases: the picture, painted when it changes, and an overlay for the pointer
 * and keyboard focus.
 */
export function ClusterPicture({ packing, groupOf, first, beside, isMeant, height, label, open }: Properties) {
  const frame = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLCanvasElement>(null);
  const width = useWidth(frame);
  const [pointed, setPointed] = useState<Pointed | undefined>(undefined);
  const [byKeyboard, setByKeyboard] = useState(false);

  const layout = useMemo(() => {
    const room = { width: Math.max(1, width), height };
    const other = beside === undefined ? [] : boxesOf(beside, groupOf);
    return layOut(boxesOf(packing, groupOf), room, { first, beside: other });
  }, [packing, groupOf, first, beside, width, height]);
  const moving = useMemo(() => isMovingByPod(packing), [packing]);
  const painted = repaints.value;

  useEffect(() => {
    if (width === 0) return;
    performance.mark('decant-paint-start');
    paint(prepared(picture.current as HTMLCanvasElement, layout.width, layout.height), { packing, layout, isMeant });
    performance.measure('decant-paint', 'decant-paint-start');
  }, [packing, layout, isMeant, painted, width]);

  // A newer picture may have fewer nodes.
  const at = pointed !== undefined && pointed.place < layout.places.length ? pointed : undefined;

  useEffect(() => {
    if (width === 0) return;
    const context = prepared(marks.current as HTMLCanvasElement, layout.width, layout.height);
    if (at === undefined) return;
    const place = layout.places[at.place];
    context.strokeStyle = getComputedStyle(marks.current as HTMLCanvasElement).color;
    context.lineWidth = 2;
    context.strokeRect(place.x - 1.5, place.y - 1.5, place.width + 3, place.height + 3);
    if (at.pod === undefined) return;
    for (const part of boxParts(packing, moving, place, 1, true))
      if (part.pod === at.pod) context.strokeRect(part.x, part.y, part.width, part.height);
  }, [at, layout, packing, moving, painted, width]);

  const pointAt = (event: PointerEvent) => {
    const { left, top } = (picture.current as HTMLCanvasElement).getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    const place = placeAt(layout, x, y);
    setByKeyboard(false);
    if (place === undefined) return setPointed(undefined);
    const pod = podAt(packing, moving, layout.places[place], x, y);
    if (place !== pointed?.place || pod !== pointed.pod) setPointed({ place, pod });
  };

  const press = (event: KeyboardEvent) => {
    const direction = KEYS[event.key];
    if (direction !== undefined && layout.places.length > 0) {
      event.preventDefault();
      setByKeyboard(true);
      setPointed({ place: at === undefined ? 0 : adjacentNode(layout, at.place, direction) });
    }
    if (event.key === 'Enter' && at !== undefined) open?.(packing.nodes.name[layout.places[at.place].node]);
    if (event.key === 'Escape') setPointed(undefined);
  };

  const name = at === undefined ? '' : packing.nodes.name[layout.places[at.place].node];
  return (
    <div
      class={`picture ${at !== undefined && open !== undefined ? 'picture-open' : ''}`}
      ref={frame}
      role="application"
      aria-label={`${label}. Arrow keys go from node to node${open === undefined ? '' : ', Enter opens one'}; the table has the same in words.`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application is operated by keys
      tabIndex={0}
      onPointerMove={pointAt}
      onPointerDown={pointAt}
      onPointerLeave={() => setPointed(undefined)}
      onBlur={() => setPointed(undefined)}
      onClick={() => at !== undefined && !byKeyboard && open?.(name)}
      onKeyDown={press}
    >
      <canvas ref={picture} />
      <canvas ref={marks} class="marks" />
      {at !== undefined && <NodeTip packing={packing} layout={layout} at={at} />}
      <p class="unseen" aria-live="polite">
        {byKeyboard && at !== undefined ? nodeInWords(nodeFacts(packing, layout.places[at.place].node)) : ''}
      </p>
    </div>
  );
}

function boxesOf(packing: ClusterColumns, groupOf: (node: NodeFacts) => string): NodeBox[] {
  const { name, cpu, memory } = packing.nodes;
  return name.map((each, i) => ({
    name: each,
    cpu: cpu[i],
    memory: memory[i] * 2 ** 20,
    group: groupOf(nodeFacts(packing, i)),
  }));
}
