import type { Condition } from '../../engine/cluster/objects.ts';
import { fields, type Row, rows, shared, time } from '../read/json-shape.ts';
import { text } from './field-value.ts';

const TYPE = 0;
const STATUS = 1;
const REASON = 2;
const CHANGED = 3;

/** status.conditions in the given column. */
export function conditionRows(column: number) {
  return rows(
    column,
    fields({ type: shared(TYPE), status: shared(STATUS), reason: shared(REASON), lastTransitionTime: time(CHANGED) }),
  );
}

/** Without times, which few readers need and which never repeat. */
export function timelessConditionRows(column: number) {
  return rows(column, fields({ type: shared(TYPE), status: shared(STATUS), reason: shared(REASON) }));
}

/** With the time of the last heartbeat, which nodes have. */
export function heartbeatConditionRows(column: number) {
  return rows(
    column,
    fields({ type: shared(TYPE), status: shared(STATUS), reason: shared(REASON), lastHeartbeatTime: time(CHANGED) }),
  );
}

/** The newest time of all conditions; 0 if there is none. */
export function newestConditionMs(conditions: unknown): number {
  const all = (conditions ?? []) as readonly Row[];
  return all.reduce((newest, row) => Math.max(newest, (row[CHANGED] as number | undefined) ?? 0), 0);
}

/** '' if there is no such condition. */
export function conditionStatus(conditions: unknown, type: string): string {
  return text(conditionRow(conditions, type)?.[STATUS], `status.conditions[${type}].status`);
}

/** undefined if there is no such condition or it has no transition time. */
export function conditionChangedMs(conditions: unknown, type: string): number | undefined {
  return conditionRow(conditions, type)?.[CHANGED] as number | undefined;
}

export function conditionReason(conditions: unknown, type: string): string {
  return text(conditionRow(conditions, type)?.[REASON], `status.conditions[${type}].reason`);
}

function conditionRow(conditions: unknown, type: string): Row | undefined {
  const all = conditions as readonly Row[] | undefined;
  if (all !== undefined) {
    for (let i = 0; i < all.length; i++) if (all[i][TYPE] === type) return all[i];
  }
  return undefined;
}

export function decodeConditions(conditions: unknown): readonly Condition[] {
  return ((conditions ?? []) as readonly Row[]).map((row, i) => ({
    type: text(row[TYPE], `status.conditions[${i}].type`),
    status: text(row[STATUS], `status.conditions[${i}].status`),
    changedMs: (row[CHANGED] as number | undefined) ?? 0,
  }));
}
