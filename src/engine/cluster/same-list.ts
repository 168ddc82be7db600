/** Identical elements in the same order. */
export function isSameList(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Number of elements that may have gone from one place of a list. */
const NEAR = 256;
const FEW_UNKNOWN = 32;

interface Named {
  readonly name: string;
}

/**
 * By element of a later list: the index of the identical element in an earlier one, ascending; -1 for elements that are new, or
 * not in this order. Between two views few objects come, go or change, and the others keep their order.
 */
export function originsIn(before: readonly Named[], now: readonly Named[]): Int32Array {
  const out = new Int32Array(now.length);
  let at = 0;
  let unknown = 0;
  for (let i = 0; i < now.length; i++) {
    const each = now[i];
    // If every other element is unknown, the order has changed and there is nothing to gain.
    if (before[at] !== each && unknown <= FEW_UNKNOWN + i / 4) {
      const found = indexNear(before, each, at);
      if (found < 0) unknown++;
      else at = found;
    }
    if (before[at] === each) out[i] = at++;
    else {
      out[i] = -1;
      // It was there and has changed; otherwise it is new.
      if (before[at]?.name === each.name) at++;
    }
  }
  return out;
}

function indexNear(list: readonly Named[], wanted: Named, from: number): number {
  const end = Math.min(list.length, from + NEAR);
  for (let i = from; i < end; i++) if (list[i] === wanted) return i;
  return -1;
}
