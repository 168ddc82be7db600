import { type Row, whole } from '../read/json-shape.ts';
import { API_VERSION, FIRST, nameOf, objectShape } from './metadata.ts';

const SPEC = FIRST;

export const CONSOLIDATION_POLICY = objectShape({ top: { spec: whole(SPEC) } });

/** A ConsolidationPolicy as given; the schema of disruption blocks interprets its spec. */
export interface GivenPolicy {
  readonly kind: 'ConsolidationPolicy';
  readonly apiVersion: unknown;
  readonly name: string;
  readonly spec: unknown;
}

export function decodeConsolidationPolicy(row: Row): GivenPolicy {
  return { kind: 'ConsolidationPolicy', apiVersion: row[API_VERSION], name: nameOf(row), spec: row[SPEC] };
}
