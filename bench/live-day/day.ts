import { Random } from '../generate/random.ts';

/** A Deployment whose replicas follow the day. */
interface DailyApp {
  readonly name: string;
  readonly cpu: string;
  readonly memory: string;
  readonly base: number;
  readonly amplitude: number;
  readonly peakHour: number;
}

const KINDS = [
  { kind: 'front', copies: 3, cpu: '500m', memory: '1Gi', base: 14, amplitude: 9, peakHour: 14 },
  { kind: 'service', copies: 3, cpu: '250m', memory: '1500Mi', base: 9, amplitude: 5, peakHour: 15 },
  { kind: 'api', copies: 2, cpu: '1', memory: '2Gi', base: 5, amplitude: 3, peakHour: 12 },
];

export const APPS: readonly DailyApp[] = KINDS.flatMap(({ kind, copies, ...app }) =>
  Array.from({ length: copies }, (_, i) => ({ ...app, name: `${kind}-${i}` })),
);

/** Comes every few hours, for less than one. */
export const BATCH = { name: 'batch', cpu: '1', memory: '2Gi', pods: 10, everyHours: 4, hours: 0.75 } as const;

/** Replicas are set this often. */
export const STEP_HOURS = 0.25;

/** Replicas of every Deployment at an hour since the first midnight; the same for the same seed. */
export function replicasAt(hour: number, seed: number): ReadonlyMap<string, number> {
  const random = new Random(seed * 100_003 + Math.round(hour / STEP_HOURS));
  const replicas = APPS.map(({ name, base, amplitude, peakHour }) => {
    const wave = amplitude * Math.cos(((hour - peakHour) / 12) * Math.PI);
    const noise = (random.fraction() - 0.5) * 3;
    return [name, Math.max(1, Math.round(base + wave + noise))] as const;
  });
  const sinceBatch = hour % BATCH.everyHours;
  return new Map([...replicas, [BATCH.name, sinceBatch < BATCH.hours ? BATCH.pods : 0]]);
}
