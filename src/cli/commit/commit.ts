import {
  type CommitmentAdvice,
  commitmentAdvice,
  type Grouping,
  type SpendStep,
  spendStep,
} from '../../lab/commitment-advice.ts';
import { nodesOverTime } from '../../lab/history/replay.ts';
import { policyCluster } from '../../lab/policy-cluster.ts';
import type { SimNode } from '../../simulator/sim-node.ts';
import { loadHistory, recordedChanges } from '../experiment/load-history.ts';
import { policyNamed } from '../experiment/policies.ts';
import { tell } from '../input/load-input.ts';
import { documentText } from '../output/document-text.ts';
import { EXIT } from '../output/exit.ts';
import { leftInWords, Pauses, ProgressLine, TimeLeft } from '../output/progress.ts';
import { print } from '../output/terminal-text.ts';
import type { CommitOptions } from './flags.ts';
import { renderAdvice } from './render.ts';

/** The output of `decant commit -o json`. */
export interface CommitmentDocument {
  readonly apiVersion: 'decant.sh/v1alpha1';
  readonly kind: 'CommitmentAdvice';
  readonly hours: number;
  readonly discount: number;
  readonly by: Grouping;
  /** The policy that was simulated; absent: the nodes as recorded. */
  readonly afterConsolidation?: string;
  /** The most expensive first. */
  readonly groups: readonly CommitmentAdvice[];
}

export async function commitCommand(options: CommitOptions): Promise<number> {
  const { limit, output } = options;
  const document = await adviceOn(options);
  const shown = { ...document, groups: document.groups.slice(0, limit) };
  print(output === 'text' ? renderAdvice(shown) : await documentText(shown, output));
  return EXIT.ok;
}

export async function adviceOn({
  history,
  discount,
  by,
  afterConsolidation: policy,
}: Omit<CommitOptions, 'limit' | 'output'>): Promise<CommitmentDocument> {
  const steps = policy === undefined ? await recordedSteps(history, by) : await simulatedSteps(history, by, policy);
  return {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'CommitmentAdvice',
    hours: steps.reduce((sum, { hours }) => sum + hours, 0),
    discount,
    by,
    ...(policy === undefined ? {} : { afterConsolidation: policy }),
    groups: commitmentAdvice(steps, discount),
  };
}

async function recordedSteps(history: string, by: Grouping): Promise<readonly SpendStep[]> {
  const steps: SpendStep[] = [];
  for (const { seconds, nodes } of nodesOverTime(await recordedChanges(history)))
    if (seconds > 0) steps.push(spendStep(seconds / 3600, nodes, by));
  return steps;
}

/** Samples of the simulated nodes: six an hour. */
const STEPS_PER_DAY = 144;

async function simulatedSteps(history: string, by: Grouping, name: string): Promise<readonly SpendStep[]> {
  const policy = await policyNamed(name, '--after-consolidation');
  const { scenario, notices, recorded } = await loadHistory(history, {});
  tell(notices);
  const { attended } = policyCluster(scenario, policy, { seed: 1 });
  const { world } = attended.cluster;
  const days = recorded?.days ?? 1;
  const count = Math.max(1, Math.ceil(days * STEPS_PER_DAY));
  const steps: SpendStep[] = [];
  const [pauses, progress, timeLeft, startedMs] = [new Pauses(), new ProgressLine(), new TimeLeft(), performance.now()];
  try {
    await attended.run(days, count, async (share) => {
      steps.push(spendStep((days * 24) / count, [...world.nodes.values()].map(asRecorded), by));
      if (!(await pauses.pause())) return undefined;
      const leftMs = timeLeft.estimateMs(share, performance.now() - startedMs);
      progress.show(`simulating ${name}: ${Math.round(100 * share)} %${leftInWords(leftMs)}`);
      return undefined;
    });
  } finally {
    progress.clear();
  }
  return steps;
}

function asRecorded({ pool, type, capacityType, price }: SimNode) {
  return { pool: pool.name, type: type.name, capacityType, price };
}
