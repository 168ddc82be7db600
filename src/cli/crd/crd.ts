import { CRDS, yaml } from '../../crd/crds.ts';
import { nodePoolPatch } from '../../crd/node-pool-patch.ts';
import { EXIT } from '../output/exit.ts';
import { print } from '../output/terminal-text.ts';
import type { CrdOptions } from './flags.ts';

export function crdCommand({ nodepoolPatch, output }: CrdOptions): number {
  print(nodepoolPatch ? printed(nodePoolPatch(), output) : crds(output));
  return EXIT.ok;
}

function crds(output: CrdOptions['output']): string {
  if (output === 'json') return printed({ apiVersion: 'v1', kind: 'List', items: CRDS }, output);
  return CRDS.map(yaml).join('---\n');
}

function printed(value: unknown, output: CrdOptions['output']): string {
  return output === 'yaml' ? yaml(value) : `${JSON.stringify(value, null, 2)}\n`;
}
