import type { Method } from './stock-answer.ts';

/** What the real Karpenter answered: the fields of the oracle's output that are compared. */
export interface RecordedReplacement {
  readonly nodePool: string;
  readonly capacityTypes: readonly string[];
  readonly zones: readonly string[];
  readonly pods: readonly string[] | null;
  readonly instanceTypes: readonly { readonly name: string; readonly price: number }[] | null;
}

export interface RecordedCommand {
  readonly decision: string;
  readonly nodes?: readonly string[];
  readonly replacements?: readonly RecordedReplacement[];
  readonly savings?: number;
}

export interface RecordedAlone extends RecordedCommand {
  readonly reason?: string;
  readonly unstable?: boolean;
  readonly others?: readonly RecordedCommand[];
}

export interface RecordedNode {
  readonly name: string;
  readonly nodePool?: string;
  readonly candidate: boolean;
  readonly blockedBy?: string;
  readonly price: number;
  readonly disruptionCost: number;
  readonly rescheduleDisruptionCost: number;
  readonly savingsRatio: number;
  readonly shouldDisrupt?: Readonly<Partial<Record<Method, boolean>>>;
  readonly alone?: RecordedAlone;
}

export interface RecordedMethod {
  readonly command: RecordedCommand;
  readonly stable: boolean;
  /** Every answer seen, when runs disagreed. */
  readonly distinct?: readonly RecordedCommand[];
  /** Commands that Karpenter's own validation refused. */
  readonly validation?: readonly string[];
}

export interface RecordedAnswer {
  readonly budgets: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly nodePoolTotals: Readonly<Record<string, { readonly cost: number; readonly disruptionCost: number }>>;
  readonly nodes: readonly RecordedNode[] | null;
  readonly methods: Readonly<Record<Method, RecordedMethod>>;
}
