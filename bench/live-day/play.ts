import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../test/e2e/cluster.ts';
import { replicasAt, STEP_HOURS } from './day.ts';

/** Scales the Deployments of day.ts as the hours pass; a day takes this many minutes. */
export async function play(
  cluster: Cluster,
  seed: number,
  fromHour: number,
  hours: number,
  minutes: number,
): Promise<void> {
  const stepMs = (minutes * 60_000 * STEP_HOURS) / 24;
  const startMs = performance.now();
  let last = replicasAt(Math.max(0, fromHour - STEP_HOURS), seed);
  for (let step = 0; step < hours / STEP_HOURS; step++) {
    const wanted = replicasAt(fromHour + step * STEP_HOURS, seed);
    const changed = [...wanted].filter(([name, replicas]) => last.get(name) !== replicas);
    await Promise.all(changed.map(([name, replicas]) => cluster.scale(name, replicas)));
    last = wanted;
    await sleep(Math.max(0, startMs + (step + 1) * stepMs - performance.now()));
  }
}
