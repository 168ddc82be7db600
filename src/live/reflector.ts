import { setTimeout as sleep } from 'node:timers/promises';
import type { UndecodableObject } from '../engine/cluster/undecodable.ts';
import type { Decoders } from '../kube/decode/decoders.ts';
import type { JsonObject } from '../kube/decode/field-value.ts';
import { setAside } from '../kube/decode/set-aside.ts';
import { JsonProblem } from '../kube/read/json-problem.ts';
import type { Fields, Row } from '../kube/read/json-shape.ts';
import { type ApiClient, ApiError } from './api-client.ts';
import { Backoff, type Pace, USUAL_PACE } from './backoff.ts';
import type { WatchDecoders } from './decoders.ts';
import { linesOf } from './lines.ts';
import { LinkedAbort } from './linked-abort.ts';
import { listPages } from './list-pages.ts';
import { type NextObjects, ObjectStore } from './object-store.ts';
import { apiVersionOf, pathOf, type Resource } from './resource.ts';

/** A kind of objects to watch. */
export interface Watched<T> {
  readonly resource: Resource;
  readonly shape: Fields;
  decode(row: Row, decoders: Decoders): T;
  /** Clusters may lack the kind; then there are no objects of it. */
  readonly optional?: true;
  /** What an object that cannot be decoded counts as; default: nothing. */
  whenUndecodable?(object: UndecodableObject): T;
}

export interface ReflectorOptions {
  readonly client: ApiClient;
  /** Called before each list and each event: decoders are renewed from time to time. */
  decoders(): WatchDecoders;
  /** Called after every update; true: objects have changed, or whether they are current. */
  onNews(changed: boolean): void;
  readonly pace?: Pace;
  /** Silence of a watch after which its objects are listed again. */
  readonly idleMs?: number;
}

export type SyncState =
  /** As on the API server a moment ago. */
  | { readonly code: 'current' }
  | { readonly code: 'listing' }
  /** An error that is retried. Known objects are kept. */
  | { readonly code: 'failing'; readonly why: string }
  /** Access is denied. Not retried. */
  | { readonly code: 'forbidden'; readonly why: string };

/** Consecutive refusals that count as final: a starting server refuses what it will allow later. */
const CERTAIN = 6;
/** The same for a kind that was never seen. */
const RATHER_CERTAIN = 3;
/** Time between attempts for a kind that the cluster lacks. */
const ABSENT_MS = 60_000;
/** Bookmarks arrive every minute. Longer silence means a lost connection, or a kind without any event since the API server started. */
const WATCH_IDLE_MS = 90_000;
const WATCH_SECONDS = { least: 300, spread: 300 };
/** The API server sends a bookmark two seconds before a watch times out: this one tells soon that it has caught up. */
const CATCH_UP_SECONDS = 5;
const BRIEF_MS = 1_000;
/** A server that does not answer a watch for this long leaves a gap. */
const LATE_MS = 5_000;
/** Consecutive failures of a watch after which its version may be unknown to the server, as after a restored backup. */
const MOST_RESUMPTIONS = 5;

/**
 * All objects of one kind, as on the API server: a paged list, then a watch from its version. After errors it retries
 * and keeps the known objects; `syncState` says whether they are current.
 */
export class Reflector<T> {
  readonly watched: Watched<T>;
  readonly store = new ObjectStore<T>();
  /** Objects that cannot be decoded, by the same keys. */
  readonly undecodable = new ObjectStore<UndecodableObject>();
  syncState: SyncState = { code: 'listing' };
  /** The cluster lacks the kind. */
  isAbsent = false;
  private readonly options: ReflectorOptions;
  private readonly backoff: Backoff;
  /** Version for the next watch; undefined: list first. */
  private version: string | undefined;
  /** The store includes everything up to this version. */
  private seen = -1n;
  /** 403 or 404, and how often in a row. */
  private refusal = { status: 0, count: 0 };
  private wasThere = false;
  private listBegunMs = -1;
  private attempt = new AbortController();
  /** Of a list under way. */
  private next: NextObjects<T> | undefined;
  /** Must be listed first. */
  private isStale = false;
  /** Why events may be missing that are older than the watch; it has caught up when a bookmark arrives. */
  private behind: 'failure' | 'long-list' | undefined;

  constructor(watched: Watched<T>, options: ReflectorOptions) {
    this.watched = watched;
    this.options = options;
    this.backoff = new Backoff(options.pace ?? USUAL_PACE);
  }

  /** Number of objects in memory. */
  get held(): number {
    return Math.max(this.store.size, this.next?.objects.size ?? 0);
  }

  /** Runs until the signal, or until access is finally denied. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.syncState.code !== 'forbidden') {
      const attempt = new LinkedAbort(signal);
      this.attempt = attempt;
      const either = attempt.signal;
      try {
        if (this.isStale) this.version = undefined;
        this.isStale = false;
        if (this.version === undefined) await this.list(either);
        await this.watch(either);
      } catch (error) {
        if (!either.aborted) await sleep(this.failed(error), undefined, { signal: either }).catch(() => {});
      } finally {
        attempt.unlink();
      }
    }
  }

  /** Marks the store as not current until it is listed again. */
  refresh(): void {
    this.isStale = true;
    if (this.syncState.code === 'current') this.enter({ code: 'listing' });
    this.attempt.abort();
  }

  /** Whether the store includes this version. Versions that are not numbers cannot be compared. */
  hasSeen(resourceVersion: string): boolean {
    const version = numberOf(resourceVersion);
    return version !== undefined && this.seen >= version;
  }

  /** Whether a list began after that time, by performance.now(). */
  wasListedSince(ms: number): boolean {
    return this.listBegunMs > ms;
  }

  private replace(next: NextObjects<T>, bad: NextObjects<UndecodableObject>): boolean {
    const changed = this.store.replace(next);
    return this.undecodable.replace(bad) || changed;
  }

  /** Lists all objects. Throws ApiError. */
  async list(signal: AbortSignal): Promise<void> {
    const begunMs = performance.now();
    const { client } = this.options;
    const { resource, shape } = this.watched;
    const { watched } = this;
    const next = this.store.replacement();
    this.next = next;
    const bad = this.undecodable.replacement();
    // The same for the whole list, whose objects share parts.
    const decoders = this.options.decoders();
    const { version, pages } = await listPages(
      client,
      decoders.reader,
      { resource, shape, signal },
      {
        take: (row) => next.put(keyOf(row), watched.decode(row, decoders)),
        setAside: (raw, problem) => {
          const object = this.setAside(raw, problem);
          bad.put(keyOfObject(object), object);
          if (watched.whenUndecodable !== undefined) next.put(keyOfObject(object), watched.whenUndecodable(object));
        },
      },
    ).finally(() => {
      this.next = undefined;
    });
    signal.throwIfAborted();
    const changed = this.replace(next, bad);
    this.version = version;
    this.seen = numberOf(version) ?? -1n;
    this.listBegunMs = begunMs;
    this.behind = pages > 1 ? 'long-list' : undefined;
    this.wasThere = true;
    this.isAbsent = false;
    this.options.onNews(changed);
  }

  private async watch(signal: AbortSignal): Promise<void> {
    const usual = WATCH_SECONDS.least + Math.floor(Math.random() * WATCH_SECONDS.spread);
    const late = setTimeout(() => this.isLate(), LATE_MS);
    const opened = this.options.client.stream({
      method: 'GET',
      path: pathOf(this.watched.resource),
      query: {
        watch: '1',
        allowWatchBookmarks: 'true',
        resourceVersion: this.version ?? '',
        timeoutSeconds: String(this.behind === undefined ? usual : CATCH_UP_SECONDS),
      },
      idleMs: this.options.idleMs ?? WATCH_IDLE_MS,
      signal,
    });
    const stream = await opened.finally(() => clearTimeout(late));
    const startedMs = performance.now();
    this.refusal = { status: 0, count: 0 };
    if (this.behind === undefined) this.enter({ code: 'current' });
    try {
      for await (const lines of linesOf(stream)) {
        let changed = false;
        for (const line of lines) changed = this.apply(line) || changed;
        this.backoff.reset();
        this.options.onNews(changed);
      }
    } catch (error) {
      if (this.behind !== undefined || !isSilence(error)) throw error;
      this.version = undefined;
      this.enter({ code: 'listing' });
      return;
    }
    // No bookmark: what happened in between is unknown.
    if (this.behind === 'failure') this.version = undefined;
    this.behind = undefined;
    // Watches end normally, but one that ends at once must not be repeated without a pause.
    if (performance.now() - startedMs < BRIEF_MS) await sleep(this.backoff.nextMs(), undefined, { signal });
  }

  private apply(line: readonly Uint8Array[]): boolean {
    const { watched } = this;
    const decoders = this.options.decoders();
    try {
      const event = decoders.reader.readEvent(line, watched.resource, watched.shape);
      if (event.type === 'ERROR') throw errorOf(event.status);
      let changed = false;
      if (event.type === 'DELETED') changed = this.remove(keyOf(event.row));
      else if (event.type !== 'BOOKMARK') changed = this.put(keyOf(event.row), watched.decode(event.row, decoders));
      this.hasVersion(event.resourceVersion);
      if (event.type === 'BOOKMARK') this.caughtUp();
      return changed;
    } catch (problem) {
      if (problem instanceof ApiError || problem instanceof JsonProblem) throw problem;
      return this.applyUndecodable(line, problem);
    }
  }

  /** An event about an object that cannot be decoded. */
  private applyUndecodable(line: readonly Uint8Array[], problem: unknown): boolean {
    const { type, object: raw } = JSON.parse(Buffer.concat(line).toString()) as Partial<Record<string, unknown>>;
    const object = this.setAside(raw, problem);
    const key = keyOfObject(object);
    const { resourceVersion } = (raw as { readonly metadata: JsonObject }).metadata;
    if (typeof resourceVersion !== 'string' || !OF_OBJECTS.has(type)) throw problem;
    this.hasVersion(resourceVersion);
    if (type === 'DELETED') return this.remove(key);
    const { whenUndecodable } = this.watched;
    const changed =
      whenUndecodable === undefined ? this.store.delete(key) : this.store.put(key, whenUndecodable(object));
    return this.undecodable.put(key, object) || changed;
  }

  /** Throws if the object cannot be identified. */
  private setAside(raw: unknown, problem: unknown): UndecodableObject {
    return setAside(this.watched.resource.kind, raw, problem);
  }

  private put(key: string, object: T): boolean {
    const changed = this.store.put(key, object);
    return this.undecodable.delete(key) || changed;
  }

  private remove(key: string): boolean {
    const changed = this.store.delete(key);
    return this.undecodable.delete(key) || changed;
  }

  private isLate(): void {
    this.behind = 'failure';
    this.enter({ code: 'failing', why: 'the API server does not respond to the watch' });
  }

  private caughtUp(): void {
    this.behind = undefined;
    this.enter({ code: 'current' });
  }

  private hasVersion(version: string): void {
    this.version = version;
    this.seen = numberOf(version) ?? this.seen;
  }

  /** Records the failure; returns the delay. */
  private failed(error: unknown): number {
    const { resource, optional } = this.watched;
    const { status = -1, retryAfterMs } = error instanceof ApiError ? error : {};
    const isListing = this.version === undefined;
    const isOver = !resumes(status) || this.backoff.failures >= MOST_RESUMPTIONS;
    if (isOver) this.version = undefined;
    this.behind = 'failure';
    this.refusal = { status, count: this.refusal.status === status ? this.refusal.count + 1 : 1 };
    const certain = this.refusal.count >= (status === 404 && !this.wasThere ? RATHER_CERTAIN : CERTAIN);
    if (status === 403 && certain) {
      this.enter({ code: 'forbidden', why: `forbidden: ${isListing ? 'list' : 'watch'} ${resource.plural}` });
      return 0;
    }
    if (status === 404 && optional && certain) {
      this.isAbsent = true;
      this.version = undefined;
      this.replace(this.store.replacement(), this.undecodable.replacement());
      this.enter({ code: 'current' });
      return ABSENT_MS;
    }
    const why = status === 404 ? `${apiVersionOf(resource)} ${resource.plural} are not installed` : wordsOf(error);
    this.enter({ code: 'failing', why });
    return this.backoff.nextMs(retryAfterMs);
  }

  private enter(syncState: SyncState): void {
    const news = syncState.code !== this.syncState.code;
    this.syncState = syncState;
    if (news) this.options.onNews(true);
  }
}

/** Nothing was received for too long. */
function isSilence(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'Timeout';
}

/** After no answer, or one that is not about versions, the watch resumes from its version. */
function resumes(status: number): boolean {
  return status === 0 || status === 401 || status === 403 || status === 404 || status === 429 || status >= 500;
}

function keyOf(row: Row): string {
  const namespace = row.namespace;
  return namespace === undefined || namespace === null ? String(row.name) : `${String(namespace)}/${String(row.name)}`;
}

const OF_OBJECTS: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED']);

function keyOfObject({ namespace, name }: UndecodableObject): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

function numberOf(resourceVersion: string): bigint | undefined {
  return /^\d+$/.test(resourceVersion) ? BigInt(resourceVersion) : undefined;
}

function errorOf(status: unknown): ApiError {
  const { code, reason, message } = (status ?? {}) as Partial<Record<string, unknown>>;
  return new ApiError(`watch: ${String(message ?? reason ?? 'broken off')}`, {
    status: typeof code === 'number' ? code : 500,
    reason: String(reason ?? 'Unknown'),
  });
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
