import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Election, type Lease, type LeaseAnswer, type LeaseRequest } from './election.ts';

/** The Lease as an API server keeps it. */
class Server {
  lease: Lease | undefined;
  private version = 0;

  take(request: LeaseRequest): LeaseAnswer {
    if (request.kind === 'get') return this.answer();
    if (request.kind === 'create' && this.lease !== undefined) return { kind: 'conflict' };
    if (request.kind === 'update' && this.lease?.resourceVersion !== request.resourceVersion)
      return { kind: 'conflict' };
    this.lease = { ...request.lease, resourceVersion: `${++this.version}` };
    return this.answer();
  }

  private answer(): LeaseAnswer {
    return this.lease === undefined ? { kind: 'absent' } : { kind: 'lease', lease: this.lease };
  }
}

/** Asks and is answered at once, until it has to wait. */
function settle(election: Election, server: Server, nowMs: number): void {
  for (let step = election.next(nowMs); step.kind !== 'wait'; step = election.next(nowMs))
    election.answered(step, server.take(step), nowMs);
}

describe('one who leads', () => {
  test('creates the Lease and leads at once; the next one waits until it is not renewed any more', () => {
    const server = new Server();
    const [a, b] = [new Election('a'), new Election('b')];
    settle(a, server, 0);
    settle(b, server, 0);
    assert.deepEqual([a.isLeader(0), b.isLeader(0), b.holder], [true, false, 'a']);
    for (let ms = 0; ms <= 14_000; ms += 2_000) settle(b, server, ms);
    assert.equal(b.isLeader(14_000), false);
    assert.equal(server.lease?.transitions, 0);
    settle(b, server, 16_000);
    assert.deepEqual([b.isLeader(16_000), server.lease?.holder, server.lease?.transitions], [true, 'b', 1]);
  });

  test('stops on its own 10 s after the last renewal was sent', () => {
    const server = new Server();
    const a = new Election('a');
    settle(a, server, 0);
    const renewal = a.next(2_000);
    if (renewal.kind === 'wait') return assert.fail('it was to renew');
    a.answered(renewal, server.take(renewal), 7_000);
    assert.deepEqual([a.isLeader(11_999), a.isLeader(12_000)], [true, false]);
  });

  test('finds out whether a renewal without an answer came through', () => {
    const server = new Server();
    const a = new Election('a');
    settle(a, server, 0);
    const lost = a.next(2_000);
    if (lost.kind === 'wait') return assert.fail('it was to renew');
    server.take(lost);
    a.answered(lost, { kind: 'failed' }, 5_000);
    const look = a.next(5_000);
    assert.equal(look.kind, 'get');
    settle(a, server, 5_000);
    assert.equal(a.isLeader(5_000), true);
    settle(a, server, 9_000);
    assert.equal(a.isLeader(14_000), true);
  });

  test('gives the Lease back, and the next one leads at once', () => {
    const server = new Server();
    const [a, b] = [new Election('a'), new Election('b')];
    settle(a, server, 0);
    settle(b, server, 1_000);
    const release = a.release();
    assert.ok(release);
    assert.equal(a.isLeader(1_000), false);
    server.take(release);
    assert.equal(b.release(), undefined);
    settle(b, server, 3_000);
    assert.equal(b.isLeader(3_000), true);
  });

  test('a Lease that another process took is noticed at the next read', () => {
    const server = new Server();
    const a = new Election('a');
    settle(a, server, 0);
    server.lease = { ...server.lease!, holder: 'somebody', resourceVersion: 'x' };
    settle(a, server, 2_000);
    // A conflict says nothing about who leads; looking does.
    settle(a, server, 4_000);
    assert.deepEqual([a.isLeader(4_000), a.holder], [false, 'somebody']);
  });

  test('a Lease that was deleted is made again', () => {
    const server = new Server();
    const a = new Election('a');
    settle(a, server, 0);
    server.lease = undefined;
    settle(a, server, 2_000);
    settle(a, server, 4_000);
    assert.deepEqual([a.isLeader(4_000), (server.lease as Lease | undefined)?.holder], [true, 'a']);
  });
});

interface Fault {
  readonly thereMs: number;
  readonly backMs: number;
  /** On the way there, on the way back, or not at all. */
  readonly lost: 'there' | 'back' | undefined;
}

interface Contender {
  election: Election;
  readonly rate: number;
  readonly offsetMs: number;
  readonly faults: readonly Fault[];
  asked: number;
  /** Held up by something else until then: timers and answers wait. */
  frozenUntilMs: number;
  inFlight?: { request: LeaseRequest; arriveMs: number; backMs: number; lost: Fault['lost']; answer?: LeaseAnswer };
}

const STEP_MS = 100;
const ANSWER_TIMEOUT_MS = 9_000;
const QUIET_MS = 60_000;
const HONEST: Fault = { thereMs: 10, backMs: 10, lost: undefined };

function clockOf({ rate, offsetMs }: Contender, trueMs: number): number {
  return offsetMs + trueMs * rate;
}

function turn(contender: Contender, server: Server, trueMs: number, quiet: boolean): void {
  const { inFlight } = contender;
  // A request travels on while its sender is held up.
  if (
    inFlight !== undefined &&
    inFlight.answer === undefined &&
    inFlight.lost !== 'there' &&
    trueMs >= inFlight.arriveMs
  )
    inFlight.answer = server.take(inFlight.request);
  if (trueMs < contender.frozenUntilMs) return;
  const ownMs = clockOf(contender, trueMs);
  if (inFlight !== undefined) {
    const back = inFlight.answer !== undefined && inFlight.lost === undefined && trueMs >= inFlight.backMs;
    if (!back && trueMs < inFlight.arriveMs + ANSWER_TIMEOUT_MS) return;
    contender.inFlight = undefined;
    contender.election.answered(inFlight.request, back ? inFlight.answer! : { kind: 'failed' }, ownMs);
  }
  const step = contender.election.next(ownMs);
  if (step.kind === 'wait') return;
  const { faults } = contender;
  const fault = quiet ? HONEST : faults[contender.asked++ % faults.length];
  const arriveMs = trueMs + fault.thereMs;
  contender.inFlight = { request: step, arriveMs, backMs: arriveMs + fault.backMs, lost: fault.lost };
}

const delay = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 0, max: 300 }) }, fc.integer({ min: 0, max: 8_000 }));
const fault = fc.record({
  thereMs: delay,
  backMs: delay,
  lost: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, fc.constantFrom('there' as const, 'back' as const)),
});
const contender = fc.record({
  rate: fc.double({ min: 0.95, max: 1.05, noNaN: true }),
  offsetMs: fc.integer({ min: -1e12, max: 1e12 }),
  faults: fc.array(fault, { minLength: 1, maxLength: 30 }),
});
const event = fc.record({
  atMs: fc.integer({ min: 0, max: 150_000 }),
  who: fc.nat({ max: 2 }),
  what: fc.constantFrom('freeze' as const, 'restart' as const, 'release' as const),
  forMs: fc.integer({ min: 100, max: 40_000 }),
});

test('never two leaders, with any clocks and responses; and one leader once faults stop', () => {
  let reigns = 0;
  const check = fc.property(
    fc.array(contender, { minLength: 2, maxLength: 3 }),
    fc.array(event, { maxLength: 12 }),
    (sketches, events) => {
      const server = new Server();
      let born = 0;
      const all = sketches.map(
        (s): Contender => ({ ...s, election: new Election(`c${born++}`), asked: 0, frozenUntilMs: 0 }),
      );
      const queue = [...events].sort((a, b) => a.atMs - b.atMs);
      const faultyMs = 150_000;
      let last: Election | undefined;
      const orphans: Contender['inFlight'][] = [];
      for (let ms = 0; ms <= faultyMs + QUIET_MS; ms += STEP_MS) {
        while (queue.length > 0 && queue[0].atMs <= ms) {
          const { who, what, forMs } = queue.shift()!;
          const one = all[who % all.length];
          if (what === 'freeze') one.frozenUntilMs = ms + forMs;
          else {
            // A request that is under way reaches the server all the same.
            const release = what === 'release' ? one.election.release() : undefined;
            if (release !== undefined) server.take(release);
            if (one.inFlight?.answer === undefined && one.inFlight?.lost !== 'there') orphans.push(one.inFlight);
            one.inFlight = undefined;
            one.election = new Election(`c${born++}`);
          }
        }
        for (const orphan of orphans.splice(0)) {
          if (orphan === undefined) continue;
          if (ms >= orphan.arriveMs) server.take(orphan.request);
          else orphans.push(orphan);
        }
        for (const one of all) turn(one, server, ms, ms > faultyMs);
        const leaders = all.filter((one) => one.election.isLeader(clockOf(one, ms)));
        assert.ok(leaders.length <= 1, `two leaders after ${ms} ms`);
        if (leaders.length === 1 && leaders[0].election !== last) {
          last = leaders[0].election;
          reigns++;
        }
      }
      const leading = all.filter((one) => one.election.isLeader(clockOf(one, faultyMs + QUIET_MS)));
      assert.equal(leading.length, 1, 'no leader although all is quiet');
    },
  );
  fc.assert(check, { numRuns: 300 });
  assert.ok(reigns > 600, `leadership changed hands only ${reigns} times`);
});
