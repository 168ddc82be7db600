import { dump } from 'js-yaml';
import type { Command } from '../controller/command.ts';
import { InputError } from '../kube/read/input-error.ts';
import { countOf } from '../lab/figures.ts';
import { type HistoryCurve, historyCurve, type PastMove } from '../lab/history-curve.ts';
import type { Wish } from '../lab/tune-wish.ts';
import { percent, perPodDay, wishInWords } from '../lab/tune-words.ts';
import { EXIT } from './exit.ts';
import { journalOfFiles } from './history.ts';
import { table } from './table.ts';
import type { TuneOptions } from './tune.ts';
import { UsageError } from './usage-error.ts';

/** Which threshold would have kept the good moves of the past and refused the others. */
export async function tuneByHistory(
  files: readonly string[],
  wish: Wish,
  { pods, output }: Pick<TuneOptions, 'pods' | 'output'>,
): Promise<number> {
  if (wish.maxEvictionsPerPodDay !== undefined && pods === undefined) {
    throw new UsageError('--max-evictions-per-pod-day with --history needs --pods: the journal does not tell how many');
  }
  if (output === 'html') throw new UsageError('--history has no page: -o text, json or yaml');
  const moves = (await journalOfFiles(files)).flatMap(pastMove);
  if (moves.length === 0) {
    throw new InputError(`${files.join(', ')}: no ConsolidationCommand that was carried out; nothing to learn from`);
  }
  const curve = historyCurve(moves, wish, pods);
  if (output === 'text') process.stdout.write(rendered(curve, wish));
  else {
    const document = { apiVersion: 'decant.sh/v1alpha1', kind: 'HistoryTuning', wish, ...curve };
    process.stdout.write(
      output === 'json' ? `${JSON.stringify(document, null, 2)}\n` : dump(document, { noRefs: true, lineWidth: -1 }),
    );
  }
  return curve.granted ? EXIT.ok : EXIT.no;
}

/** Empty nodes evict nobody, whatever the threshold. */
function pastMove({ drainingMs, predicted, realised }: Command): readonly PastMove[] {
  if (drainingMs === undefined) return [];
  const { savingsCentsPerHour, disruptionCost, evictions } = realised ?? predicted;
  return [{ atMs: drainingMs, savingsCentsPerHour, disruptionCost, evictions }];
}

function rendered({ days, points, recommended, granted }: HistoryCurve, wish: Wish): string {
  const lines = table(
    [
      { title: 'THRESHOLD', align: 'right' },
      { title: 'MOVES', align: 'right' },
      { title: 'EVICTED', align: 'right' },
      { title: 'PER DAY', align: 'right' },
      { title: 'PER POD AND DAY', align: 'right' },
      { title: 'KEEPS' },
    ],
    points.map((point) => [
      String(point.thresholdCents),
      String(point.moves),
      countOf(point.evictions),
      countOf(point.evictionsPerDay),
      point.evictionsPerPodDay === undefined ? '–' : perPodDay(point.evictionsPerPodDay),
      percent(point.kept) + (point === recommended ? '  ◄' : ''),
    ]),
    Number.POSITIVE_INFINITY,
  );
  const { thresholdCents } = recommended;
  return `${[
    `${points[0].moves} moves in ${countOf(days)} days; wish: ${wishInWords(wish)}`,
    '',
    ...lines,
    '',
    granted
      ? `Recommended: a threshold of ${thresholdCents}.`
      : `No threshold grants the wish; nearest: ${thresholdCents}.`,
    '',
    'spec:',
    '  disruption:',
    `    consolidationSavingsThresholdCents: "${thresholdCents}"`,
    '',
    'Of the moves that were made: what else would have been done in their place, decant tune -w tells.',
  ].join('\n')}\n`;
}
