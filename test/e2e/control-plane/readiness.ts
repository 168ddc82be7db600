import { get as getPlain } from 'node:http';
import { get as getSecure } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 50;
/** For what takes seconds: on machines that have twenty other things to do it takes minutes. */
const USUAL_TIMEOUT_MS = 240_000;

export interface Credentials {
  readonly ca: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/** True once the address answers 200. */
export function answers(url: string, credentials?: Credentials): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const options = { ...credentials, timeout: 2_000, agent: false as const };
  const get = url.startsWith('https:') ? getSecure : getPlain;
  const request = get(url, options, (response) => {
    response
      .resume()
      .on('end', () => resolve(response.statusCode === 200))
      .on('error', () => resolve(false));
  });
  request.on('timeout', () => request.destroy()).on('error', () => resolve(false));
  return promise;
}

/** Asks until the answer is there. The error says what was waited for and whatever `onTimeout` knows. */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  { timeoutMs = USUAL_TIMEOUT_MS, pauseMs = PAUSE_MS, onTimeout }: Waiting = {},
): Promise<T> {
  const untilMs = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > untilMs) {
      const more = onTimeout === undefined ? '' : `\n${await onTimeout()}`;
      throw new Error(`waited ${timeoutMs / 1000} s without success: ${what}${more}`);
    }
    await sleep(pauseMs);
  }
}

export interface Waiting {
  readonly timeoutMs?: number;
  readonly pauseMs?: number;
  readonly onTimeout?: () => string | Promise<string>;
}
