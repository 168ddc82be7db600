import { type ApiClient, ApiError, type ApiRequest } from '../../src/live/api-client.ts';
import { JOURNAL_RESOURCE, POLICY_RESOURCE, pathOf, RESOURCES } from '../../src/live/resource.ts';

interface Stored {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
  };
  readonly [field: string]: unknown;
}

interface Change {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Stored;
}

const COLLECTIONS = [...Object.values(RESOURCES), POLICY_RESOURCE, JOURNAL_RESOURCE].map((r) => pathOf(r));

/**
 * An API server in memory, as far as a controller can tell: lists, watches, versions, conflicts, finalizers, merge
 * patches. Watches can be held back, and requests can fail before or after they have had their effect.
 */
export class ObjectServer implements ApiClient {
  readonly asked: ApiRequest[] = [];
  /** Throws the failure of the request instead. */
  before: (request: ApiRequest) => void = () => {};
  /** The same, when it has had its effect. */
  after: (request: ApiRequest) => void = () => {};
  private version = 1;
  private readonly collections = new Map(COLLECTIONS.map((path) => [path, new Map<string, Stored>()]));
  private readonly changes = new Map<string, Change[]>(COLLECTIONS.map((path) => [path, []]));
  private isHeld = false;
  private wake: (() => void)[] = [];

  get writes(): readonly ApiRequest[] {
    return this.asked.filter(({ method }) => method !== 'GET');
  }

  /** Writes an object, as another client would. */
  put(collection: string, object: Stored): Stored {
    const objects = this.objectsAt(collection);
    const { name, namespace } = object.metadata;
    const key = namespace === undefined ? name : `${namespace}/${name}`;
    const known = objects.get(key);
    const uid = known?.metadata.uid ?? object.metadata.uid ?? `uid-${this.version}`;
    const stored = { ...object, metadata: { ...object.metadata, uid, resourceVersion: String(++this.version) } };
    objects.set(key, stored);
    this.changed(collection, known === undefined ? 'ADDED' : 'MODIFIED', stored);
    return stored;
  }

  remove(collection: string, key: string): void {
    const object = this.objectsAt(collection).get(key);
    if (object === undefined) return;
    this.objectsAt(collection).delete(key);
    const metadata = { ...object.metadata, resourceVersion: String(++this.version) };
    this.changed(collection, 'DELETED', { ...object, metadata });
  }

  get(collection: string, key: string): Stored | undefined {
    return this.objectsAt(collection).get(key);
  }

  /** From now on watches hear nothing until `release`. */
  hold(): void {
    this.isHeld = true;
  }

  release(): void {
    this.isHeld = false;
    for (const resume of this.wake.splice(0)) resume();
  }

  async request<T>(request: ApiRequest): Promise<T> {
    this.asked.push(request);
    this.before(request);
    const answer = this.carryOut(request);
    this.after(request);
    return structuredClone(answer) as T;
  }

  async stream(request: ApiRequest): Promise<AsyncIterable<Uint8Array>> {
    this.asked.push(request);
    this.before(request);
    const { query = {}, path, signal } = request;
    if (query.watch !== undefined) return this.watch(path, Number(query.resourceVersion), signal);
    const items = [...this.objectsAt(path).values()];
    return [Buffer.from(JSON.stringify({ metadata: { resourceVersion: String(this.version) }, items }))] as never;
  }

  private async *watch(path: string, from: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    let seen = from;
    signal?.addEventListener('abort', () => this.wakeAll());
    for (;;) {
      signal?.throwIfAborted();
      const news = this.isHeld ? [] : this.changes.get(path)!.filter(({ version }) => version > seen);
      for (const { version, type, object } of news) {
        seen = version;
        yield Buffer.from(`${JSON.stringify({ type, object })}\n`);
      }
      if (news.length === 0) await new Promise<void>((resolve) => this.wake.push(resolve));
    }
  }

  private carryOut({ method, path, body }: ApiRequest): unknown {
    const given = body as Stored;
    if (this.collections.has(path)) {
      if (method !== 'POST') throw refusal(405, 'MethodNotAllowed');
      if (this.get(path, given.metadata.name) !== undefined) throw refusal(409, 'AlreadyExists');
      return this.put(path, given);
    }
    const [, root, namespace, plural, name] = /^(.*)\/namespaces\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    const slash = path.lastIndexOf('/');
    const [collection, key] =
      name === undefined
        ? [path.slice(0, slash), path.slice(slash + 1)]
        : [`${root}/${plural}`, `${namespace}/${name}`];
    const known = this.get(collection, key);
    if (known === undefined) throw refusal(404, 'NotFound');
    const { resourceVersion, uid } = (method === 'DELETE' ? {} : (given?.metadata ?? {})) as Partial<
      Stored['metadata']
    >;
    if (resourceVersion !== undefined && resourceVersion !== known.metadata.resourceVersion)
      throw refusal(409, 'Conflict');
    if (uid !== undefined && uid !== known.metadata.uid) throw refusal(409, 'Conflict');
    if (method === 'GET') return known;
    if (method === 'PUT') return this.put(collection, given);
    if (method === 'PATCH') return this.put(collection, merged(known, given) as Stored);
    const wanted = (body as { preconditions?: { uid: string } }).preconditions?.uid;
    if (wanted !== undefined && wanted !== known.metadata.uid) throw refusal(409, 'Conflict');
    if ((known.metadata.finalizers ?? []).length > 0) {
      return this.put(collection, {
        ...known,
        metadata: { ...known.metadata, deletionTimestamp: '2026-08-20T12:00:00Z' },
      });
    }
    this.remove(collection, key);
    return { kind: 'Status', status: 'Success' };
  }

  private objectsAt(path: string): Map<string, Stored> {
    const objects = this.collections.get(path);
    if (objects === undefined) throw refusal(404, 'NotFound');
    return objects;
  }

  private changed(path: string, type: Change['type'], object: Stored): void {
    this.changes.get(path)!.push({ version: this.version, type, object });
    if (!this.isHeld) this.wakeAll();
  }

  private wakeAll(): void {
    for (const resume of this.wake.splice(0)) resume();
  }
}

function refusal(status: number, reason: string): ApiError {
  return new ApiError(`${status} ${reason}`, { status, reason });
}

/** RFC 7396. */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const base = typeof target === 'object' && target !== null && !Array.isArray(target) ? target : {};
  const out: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else out[key] = merged(out[key], value);
  }
  return out;
}
