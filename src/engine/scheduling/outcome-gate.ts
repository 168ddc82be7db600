import type { MoveRefusal } from '../refusal.ts';
import type { Outcome, Simulation } from './simulation.ts';

/** What must hold after a move; asked while its outcome stands on all layers below. */
export interface OutcomeGate {
  /** Gates with the same key demand the same. */
  readonly key: string;
  refusal(simulation: Simulation, outcome: Pick<Outcome, 'placements'>): MoveRefusal | undefined;
}
