import { type Problem, problemText } from './problem.ts';

/** Invalid input. The message is the whole report; a command exits with 2. */
export class InputError extends Error {
  override readonly name: string = 'InputError';
  /** More problems of the same input, one line each. */
  readonly others: readonly string[];

  constructor(message: string, others: readonly string[] = []) {
    super(message);
    this.others = others;
  }
}

export function inputError(problems: readonly Problem[]): InputError {
  const [first, ...others] = problems.map(problemText);
  return new InputError(first, others);
}
