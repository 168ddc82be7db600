import type { Condition } from '../../engine/cluster/objects.ts';
import { fields, type Row, rows, shared, time } from '../read/json-shape.ts';
import { text } from './field-value.ts';

const CONDITION = { type: shared(), status: shared(), reason: shared() };

/** `status.conditions`. */
export const CONDITIONS = rows(fields({ ...CONDITION, lastTransitionTime: time('changed') }));

/** Without times, which few readers need and which never repeat. */
export const TIMELESS_CONDITIONS = rows(fields(CONDITION));

/** With the time of the last heartbeat, which nodes have. */
export const HEARTBEAT_CONDITIONS = rows(fields({ ...CONDITION, lastHeartbeatTime: time('changed') }));

/** The newest time of all conditions; 0 if there is none. */
export function newestConditionMs(conditions: unknown): number {
  const all = (conditions ?? []) as readonly Row[];
  return all.reduce((newest, row) => Math.max(newest, (row.changed as number | undefined) ?? 0), 0);
}

/** '' if there is no such condition. */
export function conditionStatus(conditions: unknown, type: string): string {
  return text(conditionRow(conditions, type)?.status, `status.conditions[${type}].status`);
}

/** undefined if there is no such condition or it has no transition time. */
export function conditionChangedMs(conditions: unknown, type: string): number | undefined {
  return conditionRow(conditions, type)?.changed as number | undefined;
}

export function conditionReason(conditions: unknown, type: string): string {
  return text(conditionRow(conditions, type)?.reason, `status.conditions[${type}].reason`);
}

function conditionRow(conditions: unknown, type: string): Row | undefined {
  const all = conditions as readonly Row[] | undefined;
  if (all !== undefined) {
    for (let i = 0; i < all.length; i++) if (all[i].type === type) return all[i];
  }
  return undefined;
}

export function decodeConditions(conditions: unknown): readonly Condition[] {
  return ((conditions ?? []) as readonly Row[]).map((row, i) => ({
    type: text(row.type, `status.conditions[${i}].type`),
    status: text(row.status, `status.conditions[${i}].status`),
    changedMs: (row.changed as number | undefined) ?? 0,
  }));
}
