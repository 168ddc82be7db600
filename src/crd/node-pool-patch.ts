import { BLOCK_CEL } from '../config/block-cel.ts';
import { VALIDATIONS, withRules } from '../config/cel-rule.ts';
import { disruptionBlock } from '../config/disruption-block.ts';
import { type StructuralSchema, structuralSchema } from './structural-schema.ts';

/** One step of a JSON patch (RFC 6902). */
export interface PatchStep {
  readonly op: 'test' | 'add' | 'replace';
  readonly path: string;
  readonly value: unknown;
}

const VERSION = '/spec/versions/0';
const BLOCK = `${VERSION}/schema/openAPIV3Schema/properties/spec/properties/disruption`;

/** Fields of a stock NodePool CRD; of these only the policies exceed Karpenter's. */
const STOCK_FIELDS = ['consolidateAfter', 'budgets', 'consolidationPolicy'];

/**
 * Adds the RFCs' fields to a stock CRD of karpenter.sh/v1, so that NodePools can have them. Karpenter keeps unknown
 * fields, and treats an unknown policy as WhenEmptyOrUnderutilized.
 */
export function nodePoolPatch(): readonly PatchStep[] {
  const block = structuralSchema(withRules(disruptionBlock, ...BLOCK_CEL));
  const properties = Object.entries(block.properties!);
  const policies = block.properties!.consolidationPolicy as StructuralSchema;
  return [
    { op: 'test', path: '/metadata/name', value: 'nodepools.karpenter.sh' },
    { op: 'test', path: `${VERSION}/name`, value: 'v1' },
    { op: 'replace', path: `${BLOCK}/properties/consolidationPolicy/enum`, value: policies.enum },
    ...properties
      .filter(([name]) => !STOCK_FIELDS.includes(name))
      .map(([name, schema]): PatchStep => ({ op: 'add', path: `${BLOCK}/properties/${name}`, value: schema })),
    { op: 'add', path: `${BLOCK}/${VALIDATIONS}`, value: block[VALIDATIONS] },
  ];
}
