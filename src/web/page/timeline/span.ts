/** A stretch of time, in milliseconds since 1970. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Shortest span to zoom to. */
const SHORTEST_MS = 60_000;

/** By a factor around its middle, within the whole; undefined means the whole. */
export function zoomed(span: Span | undefined, whole: Span, factor: number): Span | undefined {
  const { fromMs, toMs } = span ?? whole;
  const length = Math.max(SHORTEST_MS, (toMs - fromMs) * factor);
  return within({ fromMs: (fromMs + toMs - length) / 2, toMs: (fromMs + toMs + length) / 2 }, whole);
}

/** By a share of its own length. */
export function shifted(span: Span | undefined, whole: Span, share: number): Span | undefined {
  if (span === undefined) return undefined;
  const by = share * (span.toMs - span.fromMs);
  return within({ fromMs: span.fromMs + by, toMs: span.toMs + by }, whole);
}

/** Moved and shortened to lie within the whole. */
export function within({ fromMs, toMs }: Span, whole: Span): Span | undefined {
  const length = Math.max(SHORTEST_MS, toMs - fromMs);
  if (length >= whole.toMs - whole.fromMs) return undefined;
  const from = Math.min(Math.max(fromMs, whole.fromMs), whole.toMs - length);
  return { fromMs: from, toMs: from + length };
}

export function spanOf(from: string | null, to: string | null): Span | undefined {
  const [fromMs, toMs] = [Number(from ?? Number.NaN), Number(to ?? Number.NaN)];
  return fromMs < toMs ? { fromMs, toMs } : undefined;
}
