import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadWorkload } from '../experiment/load-workload.ts';
import { policyNamed } from '../experiment/policies.ts';
import { UsageError } from '../flags/usage-error.ts';
import { EXIT } from '../output/exit.ts';
import { Interrupt } from '../output/progress.ts';
import { DemoCluster } from './cluster.ts';
import type { DemoDashboard } from './dashboard.ts';
import type { DemoOptions } from './flags.ts';
import { DemoWriter } from './render.ts';
import type { DemoFacts } from './source.ts';
import { TerminalPage } from './terminal-page.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const USUAL_SPEED = HOUR_MS / 2;
/** Time between frames at a visible speed. */
const FRAME_MS = 100;
/** Longer frames count as this long, so that time does not jump after a long pass. */
const LONGEST_FRAME_MS = 250;

export async function demoCommand(options: DemoOptions): Promise<number> {
  const { workload, seed } = options;
  const [scenario, policy] = [await loadWorkload(workload), await policyNamed(options.policy, '--policy')];
  const speed = options.speed ?? (options.once || !process.stdout.isTTY ? undefined : USUAL_SPEED);
  const page = new TerminalPage(process.stdout);
  const writer = new DemoWriter({ workload: scenario.name, policy, seed, width: page.width });
  const interrupt = new Interrupt();
  const dashboard = await dashboardFor(options, { workload: scenario.name, policy, speed });
  const demo = new DemoCluster(scenario, {
    policy,
    seed,
    tell: (news, atMs) => {
      page.print(writer.news(news, atMs));
      dashboard?.source.told(news, atMs);
    },
    yieldToOthers: async () => {
      await interrupt.pause();
    },
    reported: (report, nowMs) => dashboard?.source.reported(report, nowMs),
  });
  const url = await dashboard?.open(demo);
  page.print(writer.title(speed, url));
  const endMs = speed === undefined ? scenario.startMs + DAY_MS : Number.POSITIVE_INFINITY;
  const clock = new VirtualClock(speed, scenario.startMs);
  try {
    while (demo.nowMs < endMs && !interrupt.signal.aborted) {
      await demo.advanceTo(Math.min(demo.nowMs + HOUR_MS, endMs, await clock.next()));
      page.show(writer.status(demo.moments(), demo));
      dashboard?.source.passed();
      await interrupt.pause();
    }
  } finally {
    interrupt.end();
    page.clear();
    await dashboard?.close();
  }
  page.print(writer.summary(demo.ledgers(), demo));
  return EXIT.ok;
}

/** In an interactive terminal, or if a port is given. */
async function dashboardFor(options: DemoOptions, facts: Omit<DemoFacts, 'lab'>): Promise<DemoDashboard | undefined> {
  const wanted = options.port !== undefined || (process.stdout.isTTY && options.once !== true);
  const { bindAddress, tokenFile, tlsCertFile, plainHttp } = options;
  if (!wanted && [bindAddress, tokenFile, tlsCertFile, plainHttp].some((given) => given !== undefined))
    throw new UsageError('--bind-address and --token-file are for the dashboard, which needs --port here');
  if (!options.dashboard || !wanted) return undefined;
  const { DemoDashboard } = await import('./dashboard.ts');
  return new DemoDashboard(options, facts);
}

/** Virtual time, at a given speed or as fast as possible. */
class VirtualClock {
  private readonly speed: number | undefined;
  private virtualMs: number;
  private checkedMs = performance.now();

  constructor(speed: number | undefined, startMs: number) {
    this.speed = speed;
    this.virtualMs = startMs;
  }

  /** Waits for the next frame and returns its virtual time. */
  async next(): Promise<number> {
    if (this.speed === undefined) return Number.POSITIVE_INFINITY;
    await sleep(Math.max(0, FRAME_MS - (performance.now() - this.checkedMs)));
    const nowMs = performance.now();
    this.virtualMs += (Math.min(nowMs - this.checkedMs, LONGEST_FRAME_MS) / 1000) * this.speed;
    this.checkedMs = nowMs;
    return this.virtualMs;
  }
}
