import { BLOCK_CEL } from '../config/block-cel.ts';
import { withRules } from '../config/cel-rule.ts';
import { disruptionBlock } from '../config/disruption-block.ts';
import { objectOf } from '../config/leaf-schemas.ts';
import { API_VERSIONS, nodePoolSelectorSchema } from '../config/policy-object.ts';
import { policyStatus } from '../config/policy-status.ts';
import { policyWindows, WINDOWS_CEL } from '../config/policy-windows.ts';
import { AGE, customResource } from './custom-resource.ts';
import { type StructuralSchema, structuralSchema } from './structural-schema.ts';

const [group, version] = API_VERSIONS.ConsolidationPolicy.split('/');

const specSchema = withRules(
  objectOf({
    nodePoolSelector: nodePoolSelectorSchema.describe(
      'Labels of the NodePools that the policy applies to; {} selects all. A NodePool that two policies select is ignored.',
    ),
    ...disruptionBlock.shape,
    windows: policyWindows.optional(),
  }),
  ...BLOCK_CEL,
  ...WINDOWS_CEL,
);

export const CONSOLIDATION_POLICY_CRD = customResource({
  group,
  version,
  kind: 'ConsolidationPolicy',
  plural: 'consolidationpolicies',
  shortNames: ['dpol'],
  description: 'How Decant consolidates these NodePools, in place of their own disruption blocks.',
  spec: structuralSchema(specSchema),
  status: statusSchema(),
  statusSubresource: true,
  columns: [
    { name: 'Policy', type: 'string', jsonPath: '.spec.consolidationPolicy' },
    { name: 'Pools', type: 'integer', jsonPath: '.status.nodePools' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Cents/h', type: 'number', jsonPath: '.status.currentCentsPerHour' },
    { name: 'Planned', type: 'number', jsonPath: '.status.plannedCentsPerHour' },
    { name: 'Why', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].message', priority: 1 },
    AGE,
  ],
});

function statusSchema(): StructuralSchema {
  // A partial status is better than none, should an older controller write less.
  const { properties, required: _, ...schema } = structuralSchema(policyStatus);
  const { conditions, ...others } = properties!;
  return {
    ...schema,
    properties: {
      ...others,
      conditions: { ...conditions, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] },
    },
  };
}
