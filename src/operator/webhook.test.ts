import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { logLines } from '../../test/build/log-lines.ts';
import type { Notification } from './notifications.ts';
import { postTo, Webhook, type WebhookAnswer, type WebhookOptions } from './webhook.ts';

function notification(text: string): Notification {
  return {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'Notification',
    type: 'command-done',
    time: '2026-08-20T12:00:00.000Z',
    text,
  };
}

const OK: WebhookAnswer = { status: 200 };

/** Answers in turn, the last one for ever; time passes only in sleep. */
function webhook(answers: readonly (WebhookAnswer | Error)[], options: Partial<WebhookOptions> = {}) {
  const bodies: { text: string; dropped?: number }[] = [];
  const waits: number[] = [];
  const results: string[] = [];
  const clock = { ms: 0 };
  const { log, lines } = logLines();
  const hook = new Webhook({
    format: 'json',
    post: async (body) => {
      bodies.push(JSON.parse(body));
      const answer = answers[Math.min(bodies.length, answers.length) - 1];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    sleep: async (ms) => {
      waits.push(ms);
      clock.ms += ms;
    },
    nowMs: () => clock.ms,
    log,
    count: (result) => results.push(result),
    ...options,
  });
  return { hook, bodies, waits, results, clock, lines };
}

describe('a webhook', () => {
  test('sends in order, as JSON or as Slack has it', async () => {
    const { hook, bodies, results } = webhook([OK]);
    hook.publish([notification('one'), notification('two')]);
    await hook.settled();
    assert.deepEqual(bodies, [notification('one'), notification('two')]);
    assert.deepEqual(results, ['sent', 'sent']);
    const slack = webhook([OK], { format: 'slack' });
    slack.hook.publish([notification('a <b> & c')]);
    await slack.hook.settled();
    assert.deepEqual(slack.bodies, [{ text: 'Decant: a &lt;b&gt; &amp; c' }]);
  });

  test('tries again after errors of the network and the server, waiting longer and longer', async () => {
    const { hook, bodies, waits, results } = webhook([new Error('refused'), { status: 503 }, { status: 429 }, OK]);
    hook.publish([notification('one')]);
    await hook.settled();
    assert.deepEqual([bodies.length, waits, results], [4, [1000, 4000, 16_000], ['sent']]);
  });

  test('waits for Retry-After, within bounds', async () => {
    const asked = async (retryAfter: string) => {
      const { hook, waits } = webhook([{ status: 429, retryAfter }, OK]);
      hook.publish([notification('one')]);
      await hook.settled();
      return waits;
    };
    assert.deepEqual([await asked('30'), await asked('999999'), await asked('soon')], [[30_000], [300_000], [1000]]);
  });

  test('gives up after five attempts, at once where trying again cannot help, and goes on with the next', async () => {
    const down = webhook([{ status: 500 }]);
    down.hook.publish([notification('one')]);
    await down.hook.settled();
    assert.deepEqual([down.bodies.length, down.results], [5, ['failed']]);
    const { hook, bodies, waits, results } = webhook([{ status: 404 }, OK]);
    hook.publish([notification('one'), notification('two')]);
    await hook.settled();
    assert.deepEqual([bodies.length, waits, results], [2, [], ['failed', 'sent']]);
  });

  test('a steady rate after a burst; dropped messages are counted and reported', async () => {
    const { hook, bodies, results, clock } = webhook([OK]);
    hook.publish(Array.from({ length: 40 }, (_, i) => notification(`${i}`)));
    await hook.settled();
    assert.deepEqual([bodies.length, results.filter((r) => r === 'limited').length], [30, 10]);
    assert.equal(bodies[0].dropped, 10);
    clock.ms += 10_000;
    hook.publish([notification('a'), notification('b'), notification('c')]);
    await hook.settled();
    assert.deepEqual(
      bodies.slice(30).map(({ text }) => text),
      ['a', 'b'],
    );
  });

  test('stopped, it tries no more', async () => {
    const { hook, bodies } = webhook([{ status: 500 }]);
    hook.publish([notification('one'), notification('two')]);
    hook.stop();
    await hook.settled();
    assert.equal(bodies.length, 1);
  });
});

test('over HTTP: what arrives, and no redirect is followed', async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text) => seen.push(`${request.method} ${request.url} ${text}`));
    request.on('end', () => {
      if (request.url === '/moved') response.writeHead(307, { location: '/elsewhere' }).end();
      else response.writeHead(503, { 'retry-after': '7' }).end('no');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  assert.deepEqual(await postTo(`http://127.0.0.1:${port}/hook`)('{"a":1}'), { status: 503, retryAfter: '7' });
  assert.deepEqual(await postTo(`http://127.0.0.1:${port}/moved`)('{}'), { status: 307 });
  assert.deepEqual(seen, ['POST /hook {"a":1}', 'POST /moved {}']);
  await new Promise((resolve) => server.close(resolve));
});
