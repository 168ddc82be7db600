import type { Command } from '../../controller/command.ts';

/** A command that was begun, completed or abandoned, with a number for display. */
export interface CommandEvent {
  readonly kind: 'begun' | 'done' | 'abandoned';
  readonly number: number;
  readonly command: Command;
}

/** Numbers commands in order of appearance. */
export class CommandNumbers {
  private readonly numbers = new Map<string, number>();
  private count = 0;

  /** Returns undefined for transitions that are not shown. */
  news(command: Command): CommandEvent | undefined {
    const { id, phase, reason } = command;
    if (phase === 'waiting' && reason === undefined) {
      this.numbers.set(id, ++this.count);
      return { kind: 'begun', number: this.count, command };
    }
    if (phase !== 'done' && phase !== 'abandoned') return undefined;
    // A command begun by an earlier process has no number yet.
    const number = this.numbers.get(id) ?? ++this.count;
    this.numbers.delete(id);
    return { kind: phase === 'done' ? 'done' : 'abandoned', number, command };
  }
}
