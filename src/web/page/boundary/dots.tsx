import { useEffect, useRef } from 'preact/hooks';
import { prepared } from '../canvas.ts';
import { colour, repaints } from '../theme.ts';
import type { PointKind } from './local.ts';

/** In drawing order: changed points on top. Diameters in pixels, for few points and for many. */
const KINDS: readonly {
  readonly kind: PointKind;
  readonly colour: string;
  readonly size: readonly [number, number];
}[] = [
  { kind: 'stays', colour: 'blocked', size: [6, 5] },
  { kind: 'replace', colour: 'replace', size: [8, 5] },
  { kind: 'delete', colour: 'delete', size: [8, 5] },
  { kind: 'out', colour: 'moves', size: [11, 7] },
  { kind: 'in', colour: 'new', size: [11, 7] },
];

/** From this many points on, they are drawn smaller and let others show through. */
const MANY = 300;

interface Properties {
  readonly kinds: Readonly<Record<PointKind, readonly number[]>>;
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly width: number;
  readonly height: number;
}

/** On a canvas: as parts of an SVG, ten thousand points take longer to draw than a frame lasts. */
export function Dots({ kinds, xs, ys, width, height }: Properties) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const painted = repaints.value;
  useEffect(() => {
    if (width === 0) return;
    const context = prepared(canvas.current as HTMLCanvasElement, width, height);
    const isCrowded = xs.length > MANY;
    context.globalAlpha = isCrowded ? 0.8 : 1;
    for (const { kind, colour: name, size } of KINDS) {
      context.fillStyle = colour(name);
      for (const i of kinds[kind]) {
        if (isCrowded) smallDot(context, Math.round(xs[i]), Math.round(ys[i]), size[1] >> 1);
        else dot(context, xs[i], ys[i], size[0] / 2);
      }
    }
  }, [kinds, xs, ys, width, height, painted]);
  return <canvas ref={canvas} class="dots" />;
}

function dot(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/** Without its corners, for a tenth of a circle's time. */
function smallDot(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  const side = 2 * radius + 1;
  context.fillRect(x - radius, y - radius + 1, side, side - 2);
  context.fillRect(x - radius + 1, y - radius, side - 2, 1);
  context.fillRect(x - radius + 1, y + radius, side - 2, 1);
}
