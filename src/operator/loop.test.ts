import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { logLines } from '../../test/build/log-lines.ts';
import { reconcileReport } from '../../test/build/reconcile-report.ts';
import { Loop, type LoopOptions } from './loop.ts';

const QUICK = { gatherMs: 1, restMs: 1, retryMs: 1, longestRetryMs: 4 };

function loopOn(sketch: Partial<LoopOptions>) {
  const { log, lines } = logLines();
  const loop = new Loop({
    reconcile: async () => reconcileReport(),
    report: async () => {},
    mayReconcile: () => true,
    onFailure: () => {},
    log,
    times: QUICK,
    wallMs: () => Date.now(),
    clock: () => performance.now(),
    ...sketch,
  });
  return { loop, lines };
}

/** Resolves when called for the nth time. */
function nth(n: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let calls = 0;
  const call = () => {
    calls++;
    if (calls === n) resolve();
  };
  return { call, reached: promise, calls: () => calls };
}

describe('the loop reconciles', () => {
  test('at the start, then not before something happens; many changes share one pass', async () => {
    const [first, second] = [nth(1), nth(2)];
    const { loop } = loopOn({
      reconcile: async () => {
        first.call();
        second.call();
        return reconcileReport();
      },
      times: { ...QUICK, gatherMs: 20 },
    });
    loop.start();
    await first.reached;
    await sleep(60);
    assert.equal(first.calls(), 1);
    for (let i = 0; i < 100; i++) loop.ring();
    await second.reached;
    await sleep(60);
    assert.equal(first.calls(), 2);
    await loop.stop();
  });

  test('when the last call asked for it', async () => {
    const third = nth(3);
    const { loop } = loopOn({
      reconcile: async () => {
        third.call();
        return reconcileReport({ wakeAtMs: Date.now() + 5 });
      },
    });
    loop.start();
    await third.reached;
    await loop.stop();
  });

  test('one at a time, and every report is out before the next begins', async () => {
    const done = nth(20);
    let busy = 0;
    const within = async () => {
      busy++;
      assert.equal(busy, 1);
      await sleep(1);
      busy--;
    };
    const { loop, lines } = loopOn({
      reconcile: async () => {
        await within();
        return reconcileReport({ wakeAtMs: 0 });
      },
      report: async () => {
        await within();
        done.call();
      },
    });
    loop.start();
    const ringing = setInterval(() => loop.ring(), 1);
    await done.reached;
    clearInterval(ringing);
    await loop.stop();
    assert.deepEqual(lines, []);
  });

  test('again after a failure, each time later, and is itself again after one that did not', async () => {
    const fifth = nth(5);
    const failures = nth(3);
    const { loop, lines } = loopOn({
      reconcile: async () => {
        fifth.call();
        if (fifth.calls() <= 3) throw new Error('broken');
        return reconcileReport({ wakeAtMs: 0 });
      },
      onFailure: failures.call,
    });
    loop.start();
    await fifth.reached;
    await loop.stop();
    assert.deepEqual(
      lines.map((l) => [l.level, l.error, l.retryMs]),
      [
        ['error', 'broken', 1],
        ['error', 'broken', 2],
        ['error', 'broken', 4],
      ],
    );
    assert.equal(failures.calls(), 3);
  });

  test('no sooner after a failure because something happens', async () => {
    const second = nth(2);
    const { loop, lines } = loopOn({
      reconcile: async () => {
        second.call();
        throw new Error('broken');
      },
      times: { ...QUICK, retryMs: 60_000, longestRetryMs: 60_000 },
    });
    loop.start();
    const ringing = setInterval(() => loop.ring(), 1);
    await sleep(60);
    clearInterval(ringing);
    await loop.stop();
    assert.deepEqual([second.calls(), lines.length], [1, 1]);
  });

  test('only while it may: without leadership it waits to be called', async () => {
    const first = nth(1);
    let leads = false;
    const { loop } = loopOn({
      reconcile: async () => {
        first.call();
        return reconcileReport();
      },
      mayReconcile: () => leads,
    });
    loop.start();
    loop.ring();
    await sleep(30);
    assert.equal(first.calls(), 0);
    leads = true;
    loop.ring();
    await first.reached;
    await loop.stop();
  });

  test('whichever way the clock is set', async () => {
    const third = nth(3);
    let wallMs = 1e12;
    const { loop } = loopOn({
      reconcile: async () => {
        third.call();
        const wakeAtMs = wallMs + 3;
        wallMs -= 3_600_000 * 24;
        return reconcileReport({ wakeAtMs });
      },
      wallMs: () => wallMs,
    });
    loop.start();
    const ringing = setInterval(() => loop.ring(), 5);
    await third.reached;
    clearInterval(ringing);
    await loop.stop();
  });
});

test('stop waits for the pass in progress, and nothing follows it', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let reported = false;
  const { loop } = loopOn({
    reconcile: async () => {
      begin();
      await ended;
      return reconcileReport();
    },
    report: async () => {
      reported = true;
    },
  });
  loop.start();
  await begun;
  assert.notEqual(loop.reconcilingSinceMs, undefined);
  let stopped = false;
  const stopping = loop.stop().then(() => (stopped = true));
  await sleep(10);
  assert.equal(stopped, false);
  end();
  await stopping;
  assert.deepEqual([reported, loop.reconcilingSinceMs], [true, undefined]);
});
