import type { ClusterColumns } from '../../api.ts';
import type { NodePlace } from './picture-layout.ts';

/** A pod, or several drawn as one, in the half of a box that shows one resource. */
export interface Part {
  /** Index of the pod; -1 for several. */
  readonly pod: number;
  readonly moves: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The smallest box in which pods are drawn one by one. */
const DETAILED_SIDE = 22;

export function isDetailed({ width, height }: NodePlace): boolean {
  return width >= DETAILED_SIDE && height >= DETAILED_SIDE;
}

/** By index of the pod: 1 if the plan moves it. */
export function isMovingByPod({ pods }: ClusterColumns): Uint8Array {
  const flags = new Uint8Array(pods.name.length);
  for (const pod of pods.moving) flags[pod] = 1;
  return flags;
}

/**
 * Fills a node's box from below: cpu in the left half, memory in the right, moving pods on top. Cut off at the top of
 * the box.
 */
export function boxParts(
  packing: ClusterColumns,
  moving: Uint8Array,
  place: NodePlace,
  rim: number,
  detailed: boolean,
): Part[] {
  const { nodes, pods } = packing;
  const { node } = place;
  const half = Math.max(0, (place.width - 2 * rim) / 2);
  const height = Math.max(0, place.height - 2 * rim);
  const bottom = place.y + place.height - rim;
  const halves = [
    { amounts: pods.cpu, whole: nodes.cpu[node], x: place.x + rim },
    { amounts: pods.memory, whole: nodes.memory[node], x: place.x + rim + half },
  ];
  const parts: Part[] = [];
  for (const { amounts, whole, x } of halves) {
    let filled = 0;
    for (const moves of [false, true]) {
      const start = filled;
      for (let pod = nodes.firstPod[node]; pod < nodes.firstPod[node + 1]; pod++) {
        if ((moving[pod] === 1) !== moves) continue;
        const share = Math.min(whole > 0 ? amounts[pod] / whole : 0, 1 - filled);
        filled += share;
        if (detailed && share > 0)
          parts.push({ pod, moves, x, y: bottom - filled * height, width: half, height: share * height });
      }
      if (!detailed && filled > start)
        parts.push({ pod: -1, moves, x, y: bottom - filled * height, width: half, height: (filled - start) * height });
    }
  }
  return parts;
}

/** The pod under a point of a node's box. */
export function podAt(
  packing: ClusterColumns,
  moving: Uint8Array,
  place: NodePlace,
  x: number,
  y: number,
): number | undefined {
  const found = boxParts(packing, moving, place, 1, true).find((part) => {
    return x >= part.x && x < part.x + part.width && y >= part.y && y < part.y + part.height;
  });
  return found?.pod;
}
