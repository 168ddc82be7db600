import type { PoolCalendar } from '../../controller/calendar.ts';

/** What `-o json` prints. Times are RFC 3339; null: no limit. */
export function calendarDocument(pools: readonly PoolCalendar[], timeZone: string) {
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
