import type { MoveRefusal } from '../refusal.ts';
import type { Outcome, Simulation } from './simulation.ts';

/** What must hold after a move; evaluated before its outcome is undone, on top of all layers below. */
export interface OutcomeGate {
  /** Gates with the same key have the same requirements. */
  readonly key: string;
  refusal(simulation: Simulation, outcome: Pick<Outcome, 'placements'>): MoveRefusal | undefined;
}
