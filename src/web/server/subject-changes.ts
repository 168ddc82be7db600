import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import { isSameList } from '../../engine/cluster/same-list.ts';
import type { PoolPolicy } from '../../engine/disruption/pool-policy.ts';
import type { Settings } from '../../engine/settings.ts';
import type { Subject } from '../analysis/subject.ts';

/** A subject for a thread that has the one before: objects are numbers, and only new ones are sent. */
export interface SubjectChanges {
  /** Their numbers follow those that were sent before. */
  readonly fresh: readonly object[];
  /** By field of ClusterObjects. */
  readonly plain: Readonly<Record<string, number | string>>;
  readonly lists: Readonly<Record<string, Int32Array>>;
  readonly others: Readonly<Record<string, number>>;
  readonly settings: number;
  readonly policies: readonly (readonly [string, number])[];
  readonly rest: Omit<Subject, 'objects' | 'settings' | 'policies'>;
}

export class SubjectSender {
  private known = new Map<object, number>();
  private sent = 0;

  changes({ objects, settings, policies, ...rest }: Subject): SubjectChanges {
    const fresh: object[] = [];
    const known = new Map<object, number>();
    const numberOf = (object: object): number => {
      let number = known.get(object) ?? this.known.get(object);
      if (number === undefined) {
        number = this.sent++;
        fresh.push(object);
      }
      known.set(object, number);
      return number;
    };
    const plain: Record<string, number | string> = {};
    const lists: Record<string, Int32Array> = {};
    const others: Record<string, number> = {};
    for (const [kind, value] of Object.entries<number | string | object | undefined>({ ...objects })) {
      if (value === undefined) continue;
      if (typeof value !== 'object') plain[kind] = value;
      // Types share their commitments, so they are sent together or not at all.
      else if (Array.isArray(value) && kind !== 'instanceTypes') lists[kind] = Int32Array.from(value, numberOf);
      else others[kind] = numberOf(value);
    }
    const numbered = [...policies].map(([pool, policy]) => [pool, numberOf(policy)] as const);
    const changes = { fresh, plain, lists, others, settings: numberOf(settings), policies: numbered, rest };
    this.known = known;
    return changes;
  }
}

export class SubjectReceiver {
  private known = new Map<number, object>();
  private received = 0;
  private last: Partial<Record<string, readonly object[]>> = {};

  /** Objects, and lists of them, that are in the subject before are the same ones. */
  subject({ fresh, plain, lists, others, settings, policies, rest }: SubjectChanges): Subject {
    const known = new Map<number, object>();
    const first = this.received;
    this.received += fresh.length;
    const objectOf = (number: number): object => {
      const object = (number < first ? this.known.get(number) : fresh[number - first]) as object;
      known.set(number, object);
      return object;
    };
    const listOf = (kind: string, numbers: Int32Array): readonly object[] => {
      const list = Array.from(numbers, objectOf);
      const before = this.last[kind];
      return before !== undefined && isSameList(before, list) ? before : list;
    };
    const own = Object.fromEntries(Object.entries(lists).map(([kind, numbers]) => [kind, listOf(kind, numbers)]));
    const single = Object.fromEntries(Object.entries(others).map(([kind, number]) => [kind, objectOf(number)]));
    const subject: Subject = {
      ...rest,
      objects: { ...plain, ...single, ...own } as unknown as ClusterObjects,
      settings: objectOf(settings) as Settings,
      policies: new Map(policies.map(([pool, policy]) => [pool, objectOf(policy) as PoolPolicy])),
    };
    this.known = known;
    this.last = own;
    return subject;
  }
}
