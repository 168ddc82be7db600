import { performance } from 'node:perf_hooks';
import type { Plan } from '../../engine/plan-document.ts';
import type { Planning, Totals } from '../api.ts';
import { nodeAnswer } from './node-answer.ts';
import { packingNow } from './packing-columns.ts';
import { Picture } from './picture.ts';
import { questionOf } from './question.ts';
import { Refused } from './refused.ts';
import type { Subject } from './subject.ts';

/** What can be asked about the picture of the moment. */
export type Ask =
  | { readonly kind: 'cluster' | 'plan' }
  | { readonly kind: 'node'; readonly name: string }
  /** As in the address. */
  | { readonly kind: 'boundary' | 'what-if'; readonly query: string };

/** There is another picture, or another step of it. */
export interface Published {
  readonly version: number;
  readonly nowMs: number;
  readonly totals: Totals;
  readonly planning: Planning;
}

/** Plans under a question that wait for each other; more would only be answered when nobody cares any more. */
const MOST_WAITING = 8;

/**
 * Looks at clusters and answers questions about the latest. A picture is published when it is surveyed if it is the first,
 * and otherwise when it is planned, so that nobody who watches sees plans come and go.
 */
export class Analyst {
  private readonly publish: (news: Published) => void;
  private picture: Picture | undefined;
  private version = 0;
  private planning: Planning = { state: 'working', share: 0 };
  private waiting = 0;
  private queue: Promise<unknown> = Promise.resolve();
  private readonly begun = Promise.withResolvers<void>();
  private readonly planned = Promise.withResolvers<void>();

  constructor(publish: (news: Published) => void) {
    this.publish = publish;
  }

  /** Not to be called again before it is over. */
  async look(subject: Subject): Promise<void> {
    const picture = new Picture(subject);
    const first = this.picture === undefined;
    if (first) this.show(picture, { state: 'working', share: 0 });
    await picture.makePlan((share) => {
      if (first) this.tell({ state: 'working', share });
    });
    this.show(picture, { state: 'ready' });
  }

  private show(picture: Picture, planning: Planning): void {
    this.picture = picture;
    this.version++;
    this.begun.resolve();
    if (planning.state === 'ready') this.planned.resolve();
    this.tell(planning);
  }

  private tell(planning: Planning): void {
    this.planning = planning;
    const { totals, subject } = this.picture!;
    this.publish({ version: this.version, nowMs: subject.objects.nowMs, totals, planning });
  }

  /** Throws Refused where there is no answer. */
  async answer(ask: Ask): Promise<object> {
    await this.begun.promise;
    switch (ask.kind) {
      case 'cluster': {
        const { nodes, subject } = this.picture!;
        return { version: this.version, packing: packingNow(nodes, subject.objects) };
      }
      case 'plan': {
        const { plan } = this.picture!;
        const view = plan === undefined ? {} : { plan: this.picture!.planView(plan) };
        return { version: this.version, planning: this.planning, ...view };
      }
      case 'node': {
        const { picture, plan } = await this.whenPlanned();
        return { version: this.version, ...nodeAnswer(picture.subject, plan, ask.name) };
      }
      case 'boundary': {
        const { picture, version } = this;
        const question = questionOf(new URLSearchParams(ask.query), this.pools());
        return { version, ...picture!.boundary.answer(question, () => performance.now()) };
      }
      case 'what-if':
        return this.inTurn(async () => {
          const { picture, plan } = await this.whenPlanned();
          const question = questionOf(new URLSearchParams(ask.query), this.pools());
          return { version: this.version, ...(await picture.whatIf(question, plan)) };
        });
    }
  }

  private pools(): string[] {
    return this.picture!.subject.objects.nodePools.map(({ name }) => name);
  }

  private async whenPlanned(): Promise<{ readonly picture: Picture; readonly plan: Plan }> {
    await this.planned.promise;
    const picture = this.picture!;
    return { picture, plan: picture.plan! };
  }

  private async inTurn(work: () => Promise<object>): Promise<object> {
    if (this.waiting >= MOST_WAITING) throw new Refused(503, 'too many plans are being made; ask again in a moment');
    this.waiting++;
    const turn = this.queue.then(work, work);
    this.queue = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      this.waiting--;
    }
  }
}
