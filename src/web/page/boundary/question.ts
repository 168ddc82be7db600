import type { BoundaryAnswer } from '../../api.ts';

/** The knobs as in the address: text, missing if untouched. */
export const KNOBS = ['threshold', 'utilization', 'minPercent', 'grace', 'policy', 'pool'] as const;
export type Knob = (typeof KNOBS)[number];
export type Knobs = Readonly<Partial<Record<Knob, string>>>;

export function knobsOf(query: URLSearchParams): Knobs {
  return Object.fromEntries(KNOBS.flatMap((knob) => (query.get(knob) ? [[knob, query.get(knob)]] : [])));
}

/** `pool` only selects what a question is about. */
export function asksAnything(knobs: Knobs): boolean {
  return KNOBS.some((knob) => knob !== 'pool' && knobs[knob] !== undefined);
}

export function questionPath(endpoint: 'boundary' | 'what-if', knobs: Knobs): string {
  const query = new URLSearchParams(knobs as Record<string, string>).toString();
  return `/api/${endpoint}${query === '' ? '' : `?${query}`}`;
}

/** The highest current threshold of the pools: the initial position of the line. */
export function ownThreshold({ now, points, question }: BoundaryAnswer): number {
  if (question.threshold !== undefined) return question.threshold;
  if (now.threshold !== undefined) return now.threshold;
  const { requiredCentsPerHour, disruptionCost, exempt } = points;
  const ratios = requiredCentsPerHour.map((cents, i) => {
    return exempt[i] === 1 || disruptionCost[i] <= 0 ? 0 : cents / disruptionCost[i];
  });
  return Math.max(0, ...ratios);
}
