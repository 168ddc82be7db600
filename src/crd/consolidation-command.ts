import { COMMAND_RESOURCE, commandSpec, commandStatus } from '../config/command-object.ts';
import { AGE, customResource } from './custom-resource.ts';
import { structuralSchema } from './structural-schema.ts';

export const CONSOLIDATION_COMMAND_CRD = customResource({
  ...COMMAND_RESOURCE,
  shortNames: ['dcmd'],
  description:
    'A command of Decant: the nodes that it removes, the nodes that it launches, and the savings. Only Decant writes it; decant history reads it.',
  spec: structuralSchema(commandSpec),
  status: structuralSchema(commandStatus),
  statusSubresource: false,
  columns: [
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Nodes', type: 'string', jsonPath: '.status.summary.nodes' },
    { name: 'Saves', type: 'string', jsonPath: '.status.summary.saves', description: 'As predicted.' },
    { name: 'Saved', type: 'string', jsonPath: '.status.summary.saved', priority: 1 },
    { name: 'Evictions', type: 'integer', jsonPath: '.spec.predicted.evictions' },
    { name: 'Reason', type: 'string', jsonPath: '.status.reason' },
    AGE,
  ],
});
