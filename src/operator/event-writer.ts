import type { ApiClient } from '../live/api-client.ts';
import { TokenBucket } from '../live/token-bucket.ts';
import type { OperatorEvent } from './event-list.ts';
import { errorInWords, type Log } from './log.ts';
import { Recent } from './recent.ts';

/** The same about the same object is said again after so long, as Karpenter does. */
const AGAIN_MS = 15 * 60_000;
const BURST = 100;
const PER_SECOND = 5;
/** Longest note that the API server takes. */
const LONGEST_NOTE = 1024;
/** Cluster-scoped objects have their events there. */
const NAMESPACE = 'default';
const CONTROLLER = 'decant.sh/controller';

export type EventFate = 'sent' | 'failed' | 'limited';

export interface EventWriterOptions {
  readonly client: ApiClient;
  /** Which of several replicas speaks. */
  readonly instance: string;
  readonly log: Log;
  readonly nowMs: () => number;
  readonly count: (fate: EventFate) => void;
}

/** Writes events so that the API server does not notice: none twice, few a second, and one that fails is forgotten. */
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

  /** Returns at once. What there is no room for now may come with the next pass, which says it again. */
  publish(events: readonly OperatorEvent[]): void {
    const { nowMs, count } = this.options;
    for (const event of events) {
      const { on, reason, topic } = event;
      const key = `${on.uid} ${reason} ${topic}`;
      if (this.said.has(key, nowMs())) continue;
      if (!this.bucket.take(nowMs())) {
        count('limited');
        continue;
      }
      this.said.note(key, nowMs());
      this.queue.push(event);
    }
    if (this.queue.length > 0) this.sending = this.sending.then(() => this.sendAll());
  }

  /** Everything that was published is sent, or has failed. */
  async settled(): Promise<void> {
    await this.sending;
  }

  private async sendAll(): Promise<void> {
    const { client, count, log } = this.options;
    for (const event of this.queue.splice(0)) {
      try {
        await client.request({
          method: 'POST',
          path: `/apis/events.k8s.io/v1/namespaces/${NAMESPACE}/events`,
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
      metadata: { name: `${on.name.slice(0, 230)}.${suffix}`, namespace: NAMESPACE },
      eventTime: `${new Date(ms).toISOString().slice(0, -1)}000Z`,
      reportingController: CONTROLLER,
      reportingInstance: instance.slice(0, 128),
      action: 'Consolidation',
      type,
      reason,
      regarding: { apiVersion: 'karpenter.sh/v1', kind: on.kind, name: on.name, uid: on.uid },
      note: note.length <= LONGEST_NOTE ? note : `${note.slice(0, LONGEST_NOTE - 1)}…`,
    };
  }
}
