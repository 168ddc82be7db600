import { type Command, type Figures, isOpen } from '../../controller/command.ts';
import { reasonInWords } from '../../report/command-words.ts';

/** What `decant history -o json` prints. */
export interface HistoryDocument {
  readonly apiVersion: 'decant.sh/v1alpha1';
  readonly kind: 'History';
  readonly totals: HistoryTotals;
  /** Newest first. */
  readonly commands: readonly HistoryEntry[];
}

export interface HistoryEntry {
  readonly id: string;
  readonly decidedAt: string;
  readonly kind: 'delete' | 'replace';
  readonly phase: Command['phase'];
  readonly phaseAt: string;
  readonly nodePools: readonly string[];
  readonly nodes: readonly string[];
  readonly replacements: readonly { readonly nodeClaim: string; readonly centsPerHour: number }[];
  readonly predicted: Figures;
  readonly realised?: Figures;
  /** Why it was or is being abandoned: as a code and as text. */
  readonly reason?: { readonly code: string; readonly message: string };
}

export interface HistoryTotals {
  readonly commands: number;
  readonly open: number;
  readonly done: number;
  readonly abandoned: number;
  /** Of the commands that are done. */
  readonly predictedSavingsCentsPerHour: number;
  readonly realisedSavingsCentsPerHour: number;
  readonly evictions: number;
}

export function historyDocument(commands: readonly Command[], limit = Number.POSITIVE_INFINITY): HistoryDocument {
  const newestFirst = [...commands].sort((a, b) => b.decidedMs - a.decidedMs || (a.id < b.id ? 1 : -1));
  return {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'History',
    totals: totals(commands),
    commands: newestFirst.slice(0, limit).map(entry),
  };
}

function totals(commands: readonly Command[]): HistoryTotals {
  const done = commands.filter(({ phase }) => phase === 'done');
  const sum = (figure: (command: Command) => number) => done.reduce((total, command) => total + figure(command), 0);
  return {
    commands: commands.length,
    open: commands.filter(isOpen).length,
    done: done.length,
    abandoned: commands.filter(({ phase }) => phase === 'abandoned').length,
    predictedSavingsCentsPerHour: sum(({ predicted }) => predicted.savingsCentsPerHour),
    realisedSavingsCentsPerHour: sum(({ predicted, realised = predicted }) => realised.savingsCentsPerHour),
    evictions: sum(({ predicted, realised = predicted }) => realised.evictions),
  };
}

function entry(command: Command): HistoryEntry {
  const { id, phase, nodes, replacements, predicted, realised, reason } = command;
  return {
    id,
    decidedAt: new Date(command.decidedMs).toISOString(),
    kind: replacements.length === 0 ? 'delete' : 'replace',
    phase,
    phaseAt: new Date(command.phaseMs).toISOString(),
    nodePools: [...new Set(nodes.map(({ nodePool }) => nodePool))],
    nodes: nodes.map(({ node }) => node),
    replacements: replacements.map(({ nodeClaim, centsPerHour }) => ({ nodeClaim, centsPerHour })),
    predicted,
    ...(realised === undefined ? {} : { realised }),
    ...(reason === undefined ? {} : { reason: { code: reason, message: reasonInWords(reason) } }),
  };
}
