import type { ErrorAnswer } from '../api.ts';

/** A request answered with status 400 or above. */
export class Refused extends Error {
  readonly status: number;
  readonly parameter: string | undefined;
  readonly allowed: string | undefined;

  constructor(status: number, message: string, hint: { readonly parameter?: string; readonly allowed?: string } = {}) {
    super(message);
    this.status = status;
    this.parameter = hint.parameter;
    this.allowed = hint.allowed;
  }

  answer(): ErrorAnswer {
    const { message, parameter, allowed } = this;
    return { error: message, ...(parameter === undefined ? {} : { parameter, allowed }) };
  }
}
