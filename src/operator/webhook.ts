import { TokenBucket } from '../live/token-bucket.ts';
import { errorInWords, type Log } from './log.ts';
import type { Notification } from './notifications.ts';

export const WEBHOOK_FORMATS = ['json', 'slack'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

export interface WebhookAnswer {
  readonly status: number;
  /** Header Retry-After, if there is one. */
  readonly retryAfter?: string;
}

export interface WebhookOptions {
  readonly format: WebhookFormat;
  /** Sends the body; throws without an answer. */
  readonly post: (body: string) => Promise<WebhookAnswer>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly nowMs: () => number;
  readonly log: Log;
  readonly count: (result: 'sent' | 'failed' | 'limited') => void;
}

const BURST = 30;
const PER_SECOND = 0.2;
const MOST_WAITING = 100;
const ATTEMPTS = 5;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 5 * 60_000;

/** Sends notifications to one address, one after the other: a few attempts each, and never more than a steady rate. */
export class Webhook {
  private readonly options: WebhookOptions;
  private readonly bucket = new TokenBucket(BURST, PER_SECOND);
  private readonly queue: Notification[] = [];
  private sending: Promise<void> = Promise.resolve();
  private isSending = false;
  private dropped = 0;
  private isStopped = false;

  constructor(options: WebhookOptions) {
    this.options = options;
  }

  /** Returns at once. Notifications beyond the rate are not sent; the next one says how many there were. */
  publish(notifications: readonly Notification[]): void {
    const { nowMs, count } = this.options;
    for (const notification of notifications) {
      if (this.queue.length < MOST_WAITING && this.bucket.take(nowMs())) this.queue.push(notification);
      else {
        this.dropped++;
        count('limited');
      }
    }
    if (this.isSending || this.queue.length === 0) return;
    this.isSending = true;
    this.sending = this.sendAll().finally(() => {
      this.isSending = false;
      if (!this.isStopped) this.publish([]);
    });
  }

  /** No more attempts after the one that is under way. */
  stop(): void {
    this.isStopped = true;
  }

  /** Resolves when everything published is sent or has failed. */
  async settled(): Promise<void> {
    await this.sending;
  }

  private async sendAll(): Promise<void> {
    for (let next = this.queue.shift(); next !== undefined && !this.isStopped; next = this.queue.shift()) {
      const { dropped } = this;
      this.dropped = 0;
      const sent = await this.send(bodyOf(next, dropped, this.options.format));
      this.options.count(sent ? 'sent' : 'failed');
      if (!sent) this.dropped += dropped;
    }
  }

  private async send(body: string): Promise<boolean> {
    const { post, sleep, log } = this.options;
    for (let attempt = 1; ; attempt++) {
      let failure: string;
      let waitMs = FIRST_WAIT_MS * 4 ** (attempt - 1);
      try {
        const { status, retryAfter } = await post(body);
        if (status >= 200 && status < 300) return true;
        failure = `status ${status}`;
        // A request that the server rejects would be rejected again.
        if (status !== 429 && status !== 408 && status < 500) attempt = ATTEMPTS;
        waitMs = Math.max(waitMs, secondsIn(retryAfter) * 1000);
      } catch (error) {
        failure = errorInWords(error);
      }
      if (attempt >= ATTEMPTS || this.isStopped) {
        log.warn('notification not sent', { error: failure });
        return false;
      }
      await sleep(Math.min(waitMs, LONGEST_WAIT_MS));
    }
  }
}

function secondsIn(retryAfter: string | undefined): number {
  return retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : 0;
}

function bodyOf(notification: Notification, dropped: number, format: WebhookFormat): string {
  if (format === 'json') return JSON.stringify(dropped === 0 ? notification : { ...notification, dropped });
  const more = dropped === 0 ? '' : ` (${dropped} more not sent)`;
  return JSON.stringify({ text: `Decant: ${escaped(notification.text)}${more}` });
}

/** Slack's three control characters. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const TIMEOUT_MS = 10_000;

/** Redirects are not followed: the address is a secret, and the body is for its owner. */
export function postTo(url: string): WebhookOptions['post'] {
  return async (body) => {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    const retryAfter = response.headers.get('retry-after');
    return { status: response.status, ...(retryAfter === null ? {} : { retryAfter }) };
  };
}
