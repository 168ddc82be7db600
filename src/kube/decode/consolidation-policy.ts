import { type Row, whole } from '../read/json-shape.ts';
import { nameOf, objectShape } from './metadata.ts';

export const CONSOLIDATION_POLICY = objectShape({ top: { spec: whole() } });

/** A ConsolidationPolicy as given; the schema of disruption blocks interprets its spec. */
export interface GivenPolicy {
  readonly kind: 'ConsolidationPolicy';
  readonly apiVersion: unknown;
  readonly name: string;
  readonly spec: unknown;
}

export function decodeConsolidationPolicy(row: Row): GivenPolicy {
  return { kind: 'ConsolidationPolicy', apiVersion: row.apiVersion, name: nameOf(row), spec: row.spec };
}
