import { loadCatalog } from '../../catalog/load.ts';
import { InputError } from '../../config/input-error.ts';
import type { Command } from '../../controller/command.ts';
import { textOf } from '../../kube/read/input-paths.ts';
import { countOf } from '../../lab/figures.ts';
import { type HistoryCurve, historyCurve, type PastMove } from '../../lab/history-curve.ts';
import { movesOfLog } from '../../lab/karpenter-log.ts';
import type { TuningGoal } from '../../lab/tuning-goal.ts';
import { goalText, perPodDay, shownPercent } from '../../lab/tuning-text.ts';
import { UsageError } from '../flags/usage-error.ts';
import { journalOfFiles } from '../history/history.ts';
import { tell } from '../input/load-input.ts';
import { documentText } from '../output/document-text.ts';
import { EXIT } from '../output/exit.ts';
import { table } from '../output/table.ts';
import { print } from '../output/terminal-text.ts';
import type { TuneOptions } from './flags.ts';

/** The threshold that would have kept the good moves of the past and refused the others. */
export async function tuneByHistory(wish: TuningGoal, options: TuneOptions): Promise<number> {
  const { pods, output } = options;
  if (wish.maxEvictionsPerPodDay !== undefined && pods === undefined) {
    throw new UsageError('--max-evictions-per-pod-day needs --pods: the history does not contain the number of pods');
  }
  if (output === 'html')
    throw new UsageError('-o html needs -w; --history and --karpenter-log print text, json or yaml');
  const moves = await pastMoves(options);
  const curve = historyCurve(moves, wish, pods);
  if (output === 'text') print(rendered(curve, wish));
  else {
    const document = { apiVersion: 'decant.sh/v1alpha1', kind: 'HistoryTuning', wish, ...curve };
    print(await documentText(document, output));
  }
  return curve.granted ? EXIT.ok : EXIT.no;
}

async function pastMoves({ history, karpenterLog = [], catalog }: TuneOptions): Promise<readonly PastMove[]> {
  if (history !== undefined) {
    const moves = (await journalOfFiles(history)).flatMap(pastMove);
    if (moves.length > 0) return moves;
    throw new InputError(`${history.join(', ')}: no executed ConsolidationCommand`);
  }
  const text = (await Promise.all(karpenterLog.map(textOf))).join('\n');
  const { moves, unpriced } = movesOfLog(text, (await loadCatalog({ name: catalog })).types);
  if (unpriced > 0) tell([`left out: ${unpriced} consolidations of instance types that the catalog has no price for`]);
  if (moves.length > 0) return moves;
  throw new InputError(`${karpenterLog.join(', ')}: no line "disrupting node(s)" of a consolidation in JSON`);
}

/** Empty nodes have no evictions, whatever the threshold. */
function pastMove({ drainingMs, predicted, realised }: Command): readonly PastMove[] {
  if (drainingMs === undefined) return [];
  const { savingsCentsPerHour, disruptionCost, evictions } = realised ?? predicted;
  return [{ atMs: drainingMs, savingsCentsPerHour, disruptionCost, evictions }];
}

function rendered({ days, points, recommended, granted }: HistoryCurve, wish: TuningGoal): string {
  const lines = table(
    ['>THRESHOLD', '>MOVES', '>EVICTED', '>PER DAY', '>PER POD AND DAY', 'KEEPS'],
    points.map((point) => [
      String(point.thresholdCents),
      String(point.moves),
      countOf(point.evictions),
      countOf(point.evictionsPerDay),
      point.evictionsPerPodDay === undefined ? '–' : perPodDay(point.evictionsPerPodDay),
      shownPercent(point.kept) + (point === recommended ? '  ◄' : ''),
    ]),
    Number.POSITIVE_INFINITY,
  );
  const { thresholdCents } = recommended;
  return `${[
    `${points[0].moves} moves in ${countOf(days)} days; goal: ${goalText(wish)}`,
    '',
    ...lines,
    '',
    granted
      ? `Recommended: a threshold of ${thresholdCents}.`
      : `No threshold meets the goal; nearest: ${thresholdCents}.`,
    '',
    'spec:',
    '  disruption:',
    `    consolidationSavingsThresholdCents: "${thresholdCents}"`,
    '',
    'This counts only moves that were made; decant tune -w simulates the moves that a threshold would allow instead.',
  ].join('\n')}\n`;
}
