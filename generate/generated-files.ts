import { CRDS, yaml } from '../src/crd/crds.ts';
import { nodePoolPatch } from '../src/crd/node-pool-patch.ts';
import { alertRules } from './alert-rules.ts';
import { fieldsPage } from './fields-page.ts';
import { fileSchemas } from './file-schemas.ts';
import { grafanaDashboard } from './grafana-dashboard.ts';
import { roleTemplates } from './role-templates.ts';

const MADE = 'Made by npm run -s generate';

/** Generated files of the repository, by path. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const crd of CRDS) {
    const file = `${crd.metadata.name.split('.')[0]}.yaml`;
    const text = `# ${MADE} from the schemas in src/config.\n${yaml(crd)}`;
    files.set(`deploy/crds/${file}`, text);
    files.set(`charts/decant/crd-files/${file}`, text);
  }
  files.set('deploy/nodepool-crd-patch.yaml', `# ${MADE} from the schemas in src/config.\n${yaml(nodePoolPatch())}`);
  files.set('docs/crds.md', fieldsPage(CRDS));
  for (const [path, text] of fileSchemas()) files.set(path, text);
  for (const [file, text] of roleTemplates()) {
    files.set(`charts/decant/templates/${file}`, `{{- /* ${MADE} from src/operator/access-check.ts. */}}\n${text}`);
  }
  const alerts = `# ${MADE} from generate/alert-rules.ts.\n${yaml(alertRules())}`;
  const dashboard = `${JSON.stringify(grafanaDashboard(), null, 2)}\n`;
  for (const folder of ['deploy/monitoring', 'charts/decant/monitoring']) {
    files.set(`${folder}/alerts.yaml`, alerts);
    files.set(`${folder}/dashboard.json`, dashboard);
  }
  return files;
}
