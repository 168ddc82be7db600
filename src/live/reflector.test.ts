import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { type Asked, ScriptedServer, sendJson, sendStatus } from '../../test/build/scripted-server.ts';
import { WatchStream } from '../../test/build/watch-stream.ts';
import type { NamespaceObject } from '../engine/cluster/objects.ts';
import { RenewedDecoders } from './decoders.ts';
import { Reflector, type Watched } from './reflector.ts';
import { PLAIN_LISTS, POLICIES } from './watched-kinds.ts';

/** Quick, so that tests do not wait. */
const PACE = { firstMs: 1, mostMs: 4 };

function namespace(name: string, resourceVersion: number | string, labels: Record<string, string> = {}) {
  return { metadata: { name, resourceVersion: String(resourceVersion), labels } };
}

function list(resourceVersion: number, items: readonly object[], token = ''): object {
  return { kind: 'NamespaceList', metadata: { resourceVersion: String(resourceVersion), continue: token }, items };
}

interface Script {
  /** Answers to lists, in turn; the last one again and again. */
  readonly lists: readonly ((response: ServerResponse, asked: Asked) => unknown)[];
  readonly watches?: readonly ((response: ServerResponse, asked: Asked) => unknown)[];
  readonly watched?: Watched<unknown>;
  readonly idleMs?: number;
}

/** A reflector of namespaces before a server that plays the script. */
class Stage {
  readonly reflector: Reflector<unknown>;
  readonly server: ScriptedServer;
  readonly news: boolean[] = [];
  readonly states: string[] = [];
  private readonly ending = new AbortController();
  private readonly running: Promise<void>;
  private waiting: (() => void)[] = [];

  private constructor(server: ScriptedServer, watched: Watched<unknown>, idleMs: number | undefined) {
    const decoders = new RenewedDecoders(() => this.reflector.held);
    this.server = server;
    this.reflector = new Reflector(watched, {
      client: server.client,
      decoders: () => decoders.current,
      pace: PACE,
      ...(idleMs === undefined ? {} : { idleMs }),
      onNews: (changed) => {
        this.states.push(this.reflector.syncState.code);
        this.news.push(changed);
        for (const resume of this.waiting.splice(0)) resume();
      },
    });
    this.running = this.reflector.run(this.ending.signal);
  }

  static async play({ lists, watches = [quietly], watched = PLAIN_LISTS.namespaces, idleMs }: Script): Promise<Stage> {
    const turns = { list: 0, watch: 0 };
    const server = await ScriptedServer.start((asked, response) => {
      const kind = asked.query.has('watch') ? 'watch' : 'list';
      const script = kind === 'watch' ? watches : lists;
      const answer = script[Math.min(turns[kind]++, script.length - 1)];
      return answer(response, asked);
    });
    return new Stage(server, watched as Watched<unknown>, idleMs);
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** It knows just these, and they can be relied on. */
  async knows(...names: string[]): Promise<void> {
    await this.until(() => this.reflector.syncState.code === 'current' && this.names.join() === names.join());
  }

  get names(): string[] {
    return (this.reflector.store.list as readonly NamespaceObject[]).map(({ name }) => name).sort();
  }

  get lists(): readonly Asked[] {
    return this.server.asked.filter(({ query }) => !query.has('watch'));
  }

  get watches(): readonly Asked[] {
    return this.server.asked.filter(({ query }) => query.has('watch'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.ending.abort();
    await this.running;
    await this.server[Symbol.asyncDispose]();
  }
}

function quietly(response: ServerResponse): void {
  new WatchStream(response);
}

function caughtUp(response: ServerResponse): void {
  new WatchStream(response).send('BOOKMARK', namespace('', 7));
}

/** An answer to a watch, and its stream once it is asked for. */
function openedWatch() {
  const { promise: stream, resolve } = Promise.withResolvers<WatchStream>();
  return { stream, open: (response: ServerResponse) => resolve(new WatchStream(response)) };
}

describe('listing and watching', () => {
  test('every page, then a watch from where the list was made', async () => {
    const pages = [
      (response: ServerResponse) => sendJson(response, list(7, [namespace('a', 1), namespace('b', 2)], 'more')),
      (response: ServerResponse) => sendJson(response, list(7, [namespace('c', 3)])),
    ];
    await using stage = await Stage.play({ lists: pages, watches: [caughtUp] });
    await stage.knows('a', 'b', 'c');
    assert.deepEqual(
      stage.lists.map(({ query }) => [query.get('limit'), query.get('continue')]),
      [
        ['500', null],
        ['500', 'more'],
      ],
    );
    const [{ query }] = stage.watches;
    assert.deepEqual([query.get('resourceVersion'), query.get('allowWatchBookmarks')], ['7', 'true']);
  });

  test('added, changed, deleted; what does not matter is no change', async () => {
    let stream!: WatchStream;
    await using stage = await Stage.play({
      lists: [(response) => sendJson(response, list(7, [namespace('a', 1), namespace('b', 2)]))],
      watches: [
        (response) => {
          stream = new WatchStream(response);
        },
      ],
    });
    const { reflector } = stage;
    await stage.knows('a', 'b');
    const before = reflector.store.list;
    stream.send('MODIFIED', { ...namespace('a', 8), spec: { finalizers: ['new'] } });
    await stage.until(() => reflector.hasSeen('8'));
    assert.equal(reflector.store.list, before);
    assert.equal(stage.news.at(-1), false);
    stream
      .send('ADDED', namespace('c', 9))
      .send('MODIFIED', namespace('b', 10, { team: 'x' }))
      .send('DELETED', namespace('a', 11));
    await stage.knows('b', 'c');
    assert.deepEqual(reflector.store.get('b'), { name: 'b', labels: { team: 'x' } });
    assert.equal(reflector.hasSeen('11'), true);
    assert.equal(reflector.hasSeen('12'), false);
  });

  test('a watch that ends is taken up where it was, bookmarks included', async () => {
    await using stage = await Stage.play({
      lists: [(response) => sendJson(response, list(7, []))],
      watches: [
        (response) => new WatchStream(response).send('ADDED', namespace('a', 8)).end(),
        (response) => new WatchStream(response).send('BOOKMARK', namespace('', 20)).end(),
        (response) => new WatchStream(response).send('ADDED', namespace('b', 21)),
      ],
    });
    await stage.knows('a', 'b');
    assert.equal(stage.lists.length, 1);
    assert.deepEqual(
      stage.watches.map(({ query }) => query.get('resourceVersion')),
      ['7', '8', '20'],
    );
  });

  test('an event may come in any pieces', async () => {
    await using stage = await Stage.play({
      lists: [(response) => sendJson(response, list(7, []))],
      watches: [
        async (response) => {
          const bytes = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: namespace('größe', 8) })}\n\n`);
          response.writeHead(200);
          for (const byte of bytes) {
            response.write(Buffer.of(byte));
            await new Promise(setImmediate);
          }
        },
      ],
    });
    await stage.knows('größe');
  });
});

describe('what is lost is listed again', () => {
  const names = (response: ServerResponse) => sendJson(response, list(30, [namespace('b', 30)]));
  const first = (response: ServerResponse) => sendJson(response, list(7, [namespace('a', 1)]));

  for (const [what, watch] of [
    [
      '410 as an event',
      (response: ServerResponse) => new WatchStream(response).send('ERROR', { code: 410, reason: 'Expired' }),
    ],
    ['410 as an answer', (response: ServerResponse) => sendStatus(response, 410, 'Expired')],
    ['an event that is not JSON', (response: ServerResponse) => new WatchStream(response).line('<html>')],
    ['an event of no type', (response: ServerResponse) => new WatchStream(response).send('CHANGED', namespace('c', 9))],
    [
      'an object without a version',
      (response: ServerResponse) => new WatchStream(response).send('ADDED', { metadata: { name: 'c' } }),
    ],
    [
      'an object without a name',
      (response: ServerResponse) => new WatchStream(response).send('ADDED', { metadata: { resourceVersion: '9' } }),
    ],
    [
      'null for an object',
      (response: ServerResponse) => new WatchStream(response).line('{"type":"ADDED","object":null}'),
    ],
  ] as const) {
    test(what, async () => {
      await using stage = await Stage.play({ lists: [first, names], watches: [watch, quietly] });
      await stage.knows('b');
      assert.deepEqual(
        stage.watches.map(({ query }) => query.get('resourceVersion')),
        ['7', '30'],
      );
    });
  }

  test('a list that took too long begins anew', async () => {
    const pages = [
      (response: ServerResponse) => sendJson(response, list(7, [namespace('a', 1)], 'more')),
      (response: ServerResponse) => sendStatus(response, 410, 'Expired'),
      names,
    ];
    await using stage = await Stage.play({ lists: pages });
    await stage.knows('b');
    assert.deepEqual(
      stage.lists.map(({ query }) => query.get('continue')),
      [null, 'more', null],
    );
  });

  test('on demand, and what was under way does not count', async () => {
    await using stage = await Stage.play({ lists: [first, names] });
    await stage.knows('a');
    const askedMs = performance.now();
    stage.reflector.refresh();
    assert.equal(stage.reflector.syncState.code, 'listing');
    await stage.knows('b');
    assert.ok(stage.reflector.wasListedSince(askedMs));
  });
});

describe('while something is wrong, what was known is kept and not relied on', () => {
  const good = (response: ServerResponse) => sendJson(response, list(7, [namespace('a', 1)]));

  for (const [what, list] of [
    ['no list', (response: ServerResponse) => sendStatus(response, 500, 'InternalError', 'etcd is away')],
    [
      'half a list',
      (response: ServerResponse) => response.end('{"metadata":{"resourceVersion":"7"},"items":[{"metadata":'),
    ],
    ['a list without a version', (response: ServerResponse) => sendJson(response, { items: [] })],
    ['a page of another world', (response: ServerResponse) => response.end('<html></html>')],
    ['a cut connection', (response: ServerResponse) => response.destroy()],
    ['too many requests', (response: ServerResponse) => sendStatus(response, 429, 'TooManyRequests')],
    [
      'something of another type',
      (response: ServerResponse) => sendJson(response, { metadata: { resourceVersion: '1' }, items: [7] }),
    ],
  ] as const) {
    test(what, async () => {
      await using stage = await Stage.play({ lists: [list, list, list, good] });
      await stage.until(() => stage.reflector.syncState.code === 'failing');
      await stage.knows('a');
      assert.equal(stage.lists.length, 4);
    });
  }

  test('a watch that is cut goes on where it was, and counts as current once the events in between have arrived', async () => {
    const [first, second] = [openedWatch(), openedWatch()];
    await using stage = await Stage.play({ lists: [good], watches: [first.open, second.open] });
    (await first.stream).send('ADDED', namespace('b', 8));
    await stage.knows('a', 'b');
    (await first.stream).cut();
    await stage.until(() => stage.reflector.syncState.code === 'failing');
    assert.deepEqual(stage.names, ['a', 'b']);
    const resumed = (await second.stream).send('ADDED', namespace('c', 9));
    await stage.until(() => stage.names.length === 3);
    assert.equal(stage.reflector.syncState.code, 'failing', 'more may come');
    resumed.send('DELETED', namespace('a', 10)).send('BOOKMARK', namespace('', 11));
    await stage.knows('b', 'c');
    const [, { query }] = stage.watches;
    assert.deepEqual(
      [stage.lists.length, query.get('resourceVersion'), query.get('timeoutSeconds')],
      [1, '8', '5'],
      'a watch that ends soon is told soon that it has caught up',
    );
  });

  test('a resumed watch that ends without a bookmark is no proof: everything is listed', async () => {
    await using stage = await Stage.play({
      lists: [good, (response) => sendJson(response, list(30, [namespace('b', 30)]))],
      watches: [
        (response) => sendStatus(response, 500, 'InternalError'),
        (response) => new WatchStream(response).end(),
        quietly,
      ],
    });
    await stage.knows('b');
    assert.equal(stage.watches.length, 3);
  });

  test('silence is no failure: some kinds have no event and no bookmark for days. Objects are listed again', async () => {
    await using stage = await Stage.play({
      lists: [good, (response) => sendJson(response, list(30, [namespace('b', 30)]))],
      watches: [quietly],
      idleMs: 50,
    });
    await stage.until(() => stage.names.join() === 'b' && stage.reflector.syncState.code === 'current');
    assert.ok(!stage.states.includes('failing'), stage.states.join());
    assert.equal(stage.watches[1].query.get('resourceVersion'), '30');
  });

  test('a list of several pages is as old as its first one', async () => {
    const watch = openedWatch();
    await using stage = await Stage.play({
      lists: [
        (response) => sendJson(response, list(7, [namespace('a', 1)], 'more')),
        (response) => sendJson(response, list(7, [namespace('b', 2)])),
      ],
      watches: [watch.open],
    });
    const stream = (await watch.stream).send('ADDED', namespace('c', 8));
    await stage.until(() => stage.names.length === 3);
    assert.equal(stage.reflector.syncState.code, 'listing');
    stream.send('DELETED', namespace('c', 8)).send('DELETED', namespace('a', 8)).send('BOOKMARK', namespace('', 9));
    await stage.knows('b');
  });

  test('a watch that the server refuses to resume is replaced by a list', async () => {
    const later = (response: ServerResponse) => sendJson(response, list(3, [namespace('restored', 2)]));
    const refused = (response: ServerResponse) => sendStatus(response, 504, 'Timeout', 'Too large resource version');
    await using stage = await Stage.play({
      lists: [good, later],
      watches: [refused, refused, refused, refused, refused, refused, quietly],
    });
    await stage.knows('restored');
    assert.deepEqual(
      new Set(stage.watches.slice(0, 6).map(({ query }) => query.get('resourceVersion'))),
      new Set(['7']),
    );
    assert.equal(stage.watches[6].query.get('resourceVersion'), '3');
  });
});

describe('an object that cannot be decoded', () => {
  const bad = (name: string, version: number) => ({
    ...namespace(name, version),
    metadata: { name, resourceVersion: String(version), labels: { a: 7 } },
  });
  const set = (stage: Stage) =>
    stage.reflector.undecodable.list.map(({ kind, name, problem }) => [kind, name, problem]);
  const problem = 'metadata.labels["a"]: 7: allowed: a string';

  test('is set aside and named; the others of its kind can be relied on', async () => {
    const items = [namespace('a', 1), bad('x', 2), namespace('b', 3)];
    await using stage = await Stage.play({ lists: [(response) => sendJson(response, list(7, items))] });
    await stage.knows('a', 'b');
    assert.deepEqual(set(stage), [['Namespace', 'x', problem]]);
  });

  test('comes and goes with its events', async () => {
    let stream!: WatchStream;
    await using stage = await Stage.play({
      lists: [(response) => sendJson(response, list(7, [namespace('a', 1), namespace('b', 2)]))],
      watches: [
        (response) => {
          stream = new WatchStream(response);
        },
      ],
    });
    await stage.knows('a', 'b');
    stream.send('MODIFIED', bad('a', 8)).send('ADDED', bad('c', 9));
    await stage.until(() => stage.reflector.hasSeen('9'));
    assert.deepEqual(
      [stage.names, set(stage)],
      [
        ['b'],
        [
          ['Namespace', 'a', problem],
          ['Namespace', 'c', problem],
        ],
      ],
    );
    stream.send('MODIFIED', namespace('a', 10)).send('DELETED', bad('c', 11));
    await stage.knows('a', 'b');
    await stage.until(() => stage.reflector.hasSeen('11'));
    assert.deepEqual([set(stage), stage.reflector.syncState.code, stage.watches.length], [[], 'current', 1]);
  });

  test('fails its kind if it has no name', async () => {
    const nameless = { metadata: { resourceVersion: '1', labels: { a: 7 } } };
    await using stage = await Stage.play({ lists: [(response) => sendJson(response, list(7, [nameless]))] });
    await stage.until(() => stage.reflector.syncState.code === 'failing');
  });
});

describe('refusals', () => {
  test('403 is believed when it stays, and then nothing more is tried', async () => {
    await using stage = await Stage.play({ lists: [(response) => sendStatus(response, 403, 'Forbidden')] });
    await stage.until(() => stage.reflector.syncState.code === 'forbidden');
    assert.deepEqual(stage.reflector.syncState, { code: 'forbidden', why: 'forbidden: list namespaces' });
    assert.equal(stage.lists.length, 6);
  });

  test('403 of a server that has only just started is not', async () => {
    const no = (response: ServerResponse) => sendStatus(response, 403, 'Forbidden');
    const yes = (response: ServerResponse) => sendJson(response, list(7, [namespace('a', 1)]));
    await using stage = await Stage.play({ lists: [no, no, no, no, no, yes] });
    await stage.knows('a');
  });

  test('a missing permission to watch is reported separately from one to list', async () => {
    await using stage = await Stage.play({
      lists: [(response) => sendJson(response, list(7, []))],
      watches: [(response) => sendStatus(response, 403, 'Forbidden')],
    });
    await stage.until(() => stage.reflector.syncState.code === 'forbidden');
    assert.deepEqual(stage.reflector.syncState, { code: 'forbidden', why: 'forbidden: watch namespaces' });
  });

  test('a kind that clusters may lack is empty where it is lacking', async () => {
    await using stage = await Stage.play({
      lists: [(response) => sendStatus(response, 404, 'NotFound')],
      watched: POLICIES,
    });
    await stage.until(() => stage.reflector.syncState.code === 'current');
    assert.equal(stage.reflector.isAbsent, true);
    assert.deepEqual(stage.reflector.store.list, []);
  });

  test('a kind that they must have is missed', async () => {
    await using stage = await Stage.play({ lists: [(response) => sendStatus(response, 404, 'NotFound')] });
    await stage.until(() => stage.reflector.syncState.code === 'failing');
    assert.deepEqual(stage.reflector.syncState, { code: 'failing', why: 'v1 namespaces are not installed' });
  });
});
