import { dump } from 'js-yaml';
import { CONSOLIDATION_COMMAND_CRD } from './consolidation-command.ts';
import { CONSOLIDATION_POLICY_CRD } from './consolidation-policy.ts';
import { fieldsPage } from './fields-page.ts';
import { nodePoolPatch } from './node-pool-patch.ts';

export const CRDS = [CONSOLIDATION_POLICY_CRD, CONSOLIDATION_COMMAND_CRD] as const;

const HEADER = '# Made by npm run -s generate from the schemas in src/config.\n';

/** Files of the repository that are made from the schemas, by path. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const crd of CRDS) {
    const file = `${crd.metadata.name.split('.')[0]}.yaml`;
    const text = HEADER + yaml(crd);
    files.set(`deploy/crds/${file}`, text);
    files.set(`charts/decant/crd-files/${file}`, text);
  }
  files.set('deploy/nodepool-crd-patch.yaml', HEADER + yaml(nodePoolPatch()));
  files.set('docs/crds.md', fieldsPage(CRDS));
  return files;
}

export function yaml(value: unknown): string {
  return dump(value, { noRefs: true, lineWidth: 120 });
}
