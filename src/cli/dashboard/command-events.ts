import type { Command } from '../../controller/command.ts';

/** A command that was begun, carried out, or given up; by number, because ids are for machines. */
export interface CommandEvent {
  readonly kind: 'begun' | 'done' | 'given-up';
  readonly number: number;
  readonly command: Command;
}

/** Numbers commands as they come. */
export class CommandNumbers {
  private readonly numbers = new Map<string, number>();
  private count = 0;

  /** What the transition is worth telling; undefined: nothing. */
  news(command: Command): CommandEvent | undefined {
    const { id, phase, reason } = command;
    if (phase === 'waiting' && reason === undefined) {
      this.numbers.set(id, ++this.count);
      return { kind: 'begun', number: this.count, command };
    }
    if (phase !== 'done' && phase !== 'abandoned') return undefined;
    // One that a process before this began has no number yet.
    const number = this.numbers.get(id) ?? ++this.count;
    this.numbers.delete(id);
    return { kind: phase === 'done' ? 'done' : 'given-up', number, command };
  }
}
