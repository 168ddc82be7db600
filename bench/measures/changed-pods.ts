import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import type { PodChange } from '../../src/engine/scheduling/pod-changes.ts';
import { Session } from '../../src/engine/session.ts';
import { STOCK_RULES } from '../../src/engine/settings.ts';
import { Random } from '../generate/random.ts';
import { loadObjects } from './load-objects.ts';
import { type Measured, peakMb, sampleOften, type Task } from './measure.ts';
import { type Changes, changeSome } from './pod-turnover.ts';

const SHARE_CHANGED = 0.01;

/** Time to take in the changes and to have every node's verdict again. */
export async function changedPods(task: Task): Promise<Measured> {
  const { changes: kind } = task;
  if (kind === undefined) throw new Error('changed-pods: the workload does not say what changes');
  const objects = await loadObjects(task.file);
  const session = new Session(objects, STOCK_RULES);
  session.pass();
  const turnover = backAndForth(objects, kind, task.input.seed);
  const { value, ...sampled } = await sampleOften(
    task,
    () => turnover.next().value as PodChange[],
    (changes) => {
      session.change(changes);
      const verdicts = session.pass();
      return { changed: changes.length, evaluated: session.evaluated, verdicts: verdicts.size };
    },
  );
  return {
    ...sampled,
    peakMb: peakMb(),
    facts: { nodes: objects.nodes.length, pods: objects.pods.length, ...value },
  };
}

/** Each set of changes is taken back by the next, so that the cluster stays the one that was asked for. */
function* backAndForth(objects: ClusterObjects, changes: Changes, seed: number): Generator<PodChange[]> {
  const random = new Random(seed);
  for (let round = 0; ; round++) {
    const there = changeSome(objects, SHARE_CHANGED, changes, round, random);
    yield there;
    yield there.map(({ before, after }) => ({ before: after, after: before }));
  }
}
