export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Shelved {
  readonly corners: readonly { readonly x: number; readonly y: number }[];
  readonly width: number;
  readonly height: number;
}

/** From left to right in the given order; an item that does not fit begins a new shelf. */
export function shelve(items: readonly Size[], room: number, gap: number): Shelved {
  const corners: { x: number; y: number }[] = [];
  let [x, y, tallest, width] = [0, 0, 0, 0];
  for (const item of items) {
    if (x > 0 && x + item.width > room) {
      y += tallest + gap;
      x = 0;
      tallest = 0;
    }
    corners.push({ x, y });
    x += item.width + gap;
    width = Math.max(width, x - gap);
    tallest = Math.max(tallest, item.height);
  }
  return { corners, width, height: y + tallest };
}

/** The sides of a node's box: its area grows with its capacity, and 4 GiB per core is a square. */
export function sidesOf({ cpu, memory }: { readonly cpu: number; readonly memory: number }): Size {
  return { width: Math.sqrt(cpu / 1000), height: Math.sqrt(memory / 2 ** 32) };
}
