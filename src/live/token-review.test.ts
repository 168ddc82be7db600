import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeApi } from '../../test/build/fake-api.ts';
import type { ApiRequest } from './api-client.ts';
import { TokenReviewer } from './token-review.ts';

const USERS: Readonly<Record<string, { username: string; groups: string[] }>> = {
  'token-of-ann': { username: 'ann', groups: ['viewers'] },
  'token-of-bob': { username: 'bob', groups: [] },
};

/** Ann may list pods, Bob may not, and other users are unknown. */
function answer({ path, body }: ApiRequest): unknown {
  const { spec } = body as { spec: { token: string; user: string; groups: string[] } };
  if (path.endsWith('/tokenreviews')) {
    const user = USERS[spec.token];
    return { status: user === undefined ? { authenticated: false } : { authenticated: true, user } };
  }
  return { status: { allowed: spec.groups.includes('viewers') } };
}

test('known users who may list pods are admitted', async () => {
  const reviewer = new TokenReviewer(new FakeApi(answer), () => 0);
  assert.equal(await reviewer.review('token-of-ann'), 'admitted');
  assert.equal(await reviewer.review('token-of-bob'), 'forbidden');
  assert.equal(await reviewer.review('token-of-nobody'), 'unknown');
});

test('an answer without a verdict admits no one', async () => {
  for (const status of [undefined, {}, { authenticated: 'true' }, { authenticated: true }, { error: 'expired' }])
    assert.equal(await new TokenReviewer(new FakeApi(() => ({ status })), () => 0).review('any'), 'unknown');
});

test('it asks about all namespaces, as the user of the token', async () => {
  const api = new FakeApi(answer);
  await new TokenReviewer(api, () => 0).review('token-of-ann');
  assert.deepEqual(api.bodies<{ spec: unknown }>('POST')[1].spec, {
    user: 'ann',
    uid: undefined,
    groups: ['viewers'],
    extra: undefined,
    resourceAttributes: { verb: 'list', group: '', resource: 'pods' },
  });
});

test('an answer is believed for a minute, also by those who ask meanwhile', async () => {
  const api = new FakeApi(answer);
  let nowMs = 0;
  const reviewer = new TokenReviewer(api, () => nowMs);
  await Promise.all([reviewer.review('token-of-ann'), reviewer.review('token-of-ann')]);
  nowMs = 59_999;
  await reviewer.review('token-of-ann');
  assert.equal(api.asked.length, 2);
  nowMs = 60_000;
  await reviewer.review('token-of-ann');
  assert.equal(api.asked.length, 4);
});

test('a review that failed is repeated', async () => {
  let fails = true;
  const reviewer = new TokenReviewer(
    new FakeApi((request) => {
      if (fails) throw new Error('away');
      return answer(request);
    }),
    () => 0,
  );
  await assert.rejects(reviewer.review('token-of-ann'), /away/);
  fails = false;
  assert.equal(await reviewer.review('token-of-ann'), 'admitted');
});

test('unknown tokens cost the API server a bounded number of requests, and valid ones still work', async () => {
  const api = new FakeApi(answer);
  let nowMs = 0;
  const reviewer = new TokenReviewer(api, () => nowMs);
  assert.equal(await reviewer.review('token-of-ann'), 'admitted');
  const before = api.asked.length;
  let refused = 0;
  for (let i = 0; i < 5000; i++) await reviewer.review(`wrong-${i}`).catch(() => refused++);
  assert.ok(api.asked.length - before <= 50, String(api.asked.length));
  assert.ok(refused >= 4900);
  assert.equal(await reviewer.review('token-of-ann'), 'admitted');
  nowMs = 1_000;
  assert.equal(await reviewer.review('token-of-bob'), 'forbidden');
});

test('users who were admitted stay so while others try tokens without end', async () => {
  let nowMs = 0;
  let fails = false;
  const reviewer = new TokenReviewer(
    new FakeApi((request) => {
      if (fails) throw new Error('away');
      return answer(request);
    }),
    () => nowMs,
  );
  assert.equal(await reviewer.review('token-of-ann'), 'admitted');
  for (; nowMs < 300_000; nowMs += 30_000) {
    for (let i = 0; i < 500; i++) await reviewer.review(`wrong-${nowMs}-${i}`).catch(() => {});
    await assert.rejects(reviewer.review('token-of-bob'), /too many/);
    fails = nowMs === 120_000;
    if (fails) await assert.rejects(reviewer.review('token-of-ann'), /away/);
    fails = false;
    assert.equal(await reviewer.review('token-of-ann'), 'admitted');
  }
});

test('a user who was admitted and may no longer list pods is not admitted', async () => {
  let nowMs = 0;
  let groups = ['viewers'];
  const reviewer = new TokenReviewer(
    new FakeApi(({ path, body }) =>
      path.endsWith('/tokenreviews')
        ? { status: { authenticated: true, user: { username: 'ann', groups } } }
        : answer({ path, body } as ApiRequest),
    ),
    () => nowMs,
  );
  assert.equal(await reviewer.review('token-of-ann'), 'admitted');
  groups = [];
  nowMs = 60_000;
  assert.equal(await reviewer.review('token-of-ann'), 'forbidden');
  assert.equal(await reviewer.review('token-of-ann'), 'forbidden');
});

test('no more than eight reviews are under way at a time', async () => {
  const reviewer = new TokenReviewer(new FakeApi(answer), () => 0);
  const settled = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => reviewer.review(`wrong-${i}`)));
  assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 8);
});

test('with an audience, only tokens that the API server found to be for it', async () => {
  const asked: unknown[] = [];
  const reviewerOf = (audiences: readonly string[] | undefined) =>
    new TokenReviewer(
      new FakeApi((request) => {
        if (!request.path.endsWith('/tokenreviews')) return answer(request);
        asked.push((request.body as { spec: { audiences: unknown } }).spec.audiences);
        return { status: { authenticated: true, user: USERS['token-of-ann'], audiences } };
      }),
      () => 0,
      'decant',
    );
  assert.equal(await reviewerOf(['decant']).review('token-of-ann'), 'admitted');
  assert.equal(await reviewerOf(['https://kubernetes.default.svc']).review('token-of-ann'), 'unknown');
  assert.equal(await reviewerOf(undefined).review('token-of-ann'), 'unknown');
  assert.deepEqual(asked, [['decant'], ['decant'], ['decant']]);
});
