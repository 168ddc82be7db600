import type { ApiClient } from '../live/api-client.ts';
import { TokenBucket } from '../live/token-bucket.ts';
import type { OperatorEvent } from './event-list.ts';
import { errorInWords, type Log } from './log.ts';
import { Recent } from './recent.ts';

/** An event about the same object is repeated after this time, as in Karpenter. */
const AGAIN_MS = 15 * 60_000;
const BURST = 50;
const PER_SECOND = 2;
/** Longest note that the API server accepts, in bytes. */
const LONGEST_NOTE = 1024;
const CUT = '…';
/** Namespace of events about cluster-scoped objects. */
const DEFAULT_NAMESPACE = 'default';
const CONTROLLER = 'decant.sh/controller';
const API_VERSIONS = { NodeClaim: 'karpenter.sh/v1', NodePool: 'karpenter.sh/v1', PodDisruptionBudget: 'policy/v1' };

export type EventFate = 'sent' | 'failed' | 'limited';

export interface EventWriterOptions {
  readonly client: ApiClient;
  /** The replica that writes the event. */
  readonly instance: string;
  readonly log: Log;
  readonly nowMs: () => number;
  readonly count: (fate: EventFate) => void;
}

/** Writes events with little load on the API server: no repetitions, few per second, no retries. */
export class EventWriter {
  private readonly options: EventWriterOptions;
  private readonly said = new Recent(AGAIN_MS);
  private readonly bucket = new TokenBucket(BURST, PER_SECOND);
  private readonly queue: OperatorEvent[] = [];
  private sending: Promise<void> = Promise.resolve();
  private written = 0;

  constructor(options: EventWriterOptions) {
    this.options = options;
  }

  /** Returns at once. Events beyond the limit may be written in the next pass, which repeats them. */
  publish(events: readonly OperatorEvent[]): void {
    const { nowMs, count } = this.options;
    for (const event of events) {
      const { on, reason, topic } = event;
      const key = `${on.uid} ${reason} ${topic}`;
      if (this.said.has(key, nowMs())) continue;
      if (this.queue.length >= BURST || !this.bucket.take(nowMs())) {
        count('limited');
        continue;
      }
      this.said.note(key, nowMs());
      this.queue.push(event);
    }
    if (this.queue.length > 0) this.sending = this.sending.then(() => this.sendAll());
  }

  /** Resolves when everything published is sent or has failed. */
  async settled(): Promise<void> {
    await this.sending;
  }

  private async sendAll(): Promise<void> {
    const { client, count, log } = this.options;
    for (const event of this.queue.splice(0)) {
      try {
        await client.request({
          method: 'POST',
          path: `/apis/events.k8s.io/v1/namespaces/${event.on.namespace ?? DEFAULT_NAMESPACE}/events`,
          body: this.object(event),
          idleMs: 5_000,
        });
        count('sent');
      } catch (error) {
        count('failed');
        log.debug('event not written', { reason: event.reason, object: event.on.name, error: errorInWords(error) });
      }
    }
  }

  private object({ on, type, reason, note }: OperatorEvent): object {
    const { instance, nowMs } = this.options;
    const ms = nowMs();
    const suffix = `${ms.toString(16)}${(this.written++ % 4096).toString(16).padStart(3, '0')}`;
    return {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: `${on.name.slice(0, 230)}.${suffix}`, namespace: on.namespace ?? DEFAULT_NAMESPACE },
      eventTime: `${new Date(ms).toISOString().slice(0, -1)}000Z`,
      reportingController: CONTROLLER,
      reportingInstance: instance.slice(0, 128),
      action: 'Consolidation',
      type,
      reason,
      regarding: { apiVersion: API_VERSIONS[on.kind], ...on },
      note: cutNote(note),
    };
  }
}

function cutNote(note: string): string {
  const bytes = Buffer.from(note);
  if (bytes.length <= LONGEST_NOTE) return note;
  // A character that is cut in the middle is decoded as U+FFFD.
  const kept = bytes.subarray(0, LONGEST_NOTE - Buffer.byteLength(CUT)).toString();
  return `${kept.replace(/\ufffd+$/u, '')}${CUT}`;
}
