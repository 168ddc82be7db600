import type { PolicyObject } from '../../config/policy-object.ts';
import { calendar, type PoolCalendar } from '../../controller/calendar.ts';
import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import { isTimeZone, offsetPeriods } from '../../engine/disruption/time-zone.ts';
import { DEFAULT_OPTIONS } from '../../kube/decode/karpenter-options.ts';
import { parseTimestamp } from '../../kube/decode/timestamp.ts';
import { loadCluster } from '../../kube/read/load.ts';
import { connect } from '../../live/api-client.ts';
import { listCluster } from '../../live/list-cluster.ts';
import { refuseCluster } from '../flags/connection.ts';
import { badFlag } from '../flags/usage-error.ts';
import { documentText } from '../output/document-text.ts';
import { EXIT } from '../output/exit.ts';
import { print } from '../output/terminal-text.ts';
import type { CalendarOptions } from './flags.ts';
import { renderCalendar } from './render.ts';

const DAY_MS = 86_400_000;

export async function calendarCommand(options: CalendarOptions): Promise<number> {
  const { timeZone, output } = options;
  if (!isTimeZone(timeZone))
    throw badFlag('--time-zone', timeZone, 'a time zone of the IANA database such as Europe/Berlin');
  const { objects, policies } = await read(options);
  const fromMs = firstMoment(options, objects.nowMs);
  const pools = calendar(objects, policies, fromMs, aWeekAfter(fromMs, timeZone));
  const document = calendarDocument(pools, timeZone);
  print(output === 'text' ? renderCalendar(pools, timeZone) : await documentText(document, output));
  return EXIT.ok;
}

interface Read {
  readonly objects: ClusterObjects;
  readonly policies: readonly PolicyObject[];
}

async function read(options: CalendarOptions): Promise<Read> {
  const { file = [] } = options;
  if (file.length === 0) {
    const { objects, policies } = await listCluster(await connect(options));
    return { objects: { ...objects, nowMs: Date.now(), options: DEFAULT_OPTIONS, instanceTypes: [] }, policies };
  }
  refuseCluster(options);
  const { objects, policies } = await loadCluster(file, {});
  return { objects: { ...objects, instanceTypes: [] }, policies };
}

function firstMoment({ from, timeZone }: CalendarOptions, nowMs: number): number {
  if (from === undefined) return midnight(timeZone, nowMs);
  const ms = parseTimestamp(from);
  if (ms === undefined) throw badFlag('--from', from, 'an RFC 3339 time such as 2026-08-20T12:00:00Z');
  return ms;
}

/** The same time of the day, an hour less or more away if clocks are set forward or back in between. */
export function aWeekAfter(fromMs: number, timeZone: string): number {
  const periods = offsetPeriods(timeZone, fromMs, fromMs + 7 * DAY_MS);
  return fromMs + 7 * DAY_MS + periods[0].offsetMs - periods[periods.length - 1].offsetMs;
}

/** The last quarter of an hour at which the day of `nowMs` had not begun yet, plus one. */
function midnight(timeZone: string, nowMs: number): number {
  const date = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const today = date.format(nowMs);
  let t = Math.floor(nowMs / 900_000) * 900_000;
  while (date.format(t - 900_000) === today) t -= 900_000;
  return t;
}

/** What `-o json` prints. Times are RFC 3339; null: no limit. */
function calendarDocument(pools: readonly PoolCalendar[], timeZone: string) {
  const count = (nodes: number) => (Number.isFinite(nodes) ? nodes : null);
  return {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'Calendar',
    timeZone,
    pools: pools.map(({ periods, blockReason, ...pool }) => ({
      ...pool,
      ...(blockReason === undefined ? {} : { blockReason: blockReason.code }),
      periods: periods.map((p) => ({
        from: new Date(p.fromMs).toISOString(),
        to: new Date(p.toMs).toISOString(),
        consolidation: !p.isOff,
        emptyNodes: count(p.empty),
        underutilizedNodes: count(p.underutilized),
        ...(p.window === undefined ? {} : { window: p.window }),
      })),
    })),
  };
}
