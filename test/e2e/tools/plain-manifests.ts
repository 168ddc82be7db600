import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtTool } from './optional-tool.ts';

const run = promisify(execFile);
export const CHART = join(import.meta.dirname, '..', '..', '..', 'charts', 'decant');
const NAMESPACE = 'decant';

const HEADER = `\
# Made by npm run -s generate: what charts/decant makes of its defaults, for kubectl alone.
apiVersion: v1
kind: Namespace
metadata:
  name: ${NAMESPACE}
`;

/** deploy/decant.yaml; undefined if there is no helm to make it with. */
export async function plainManifests(): Promise<string | undefined> {
  const helm = builtTool('helm');
  if (helm === undefined) return undefined;
  const manifests = await rendered(helm);
  return `${HEADER}${manifests.replaceAll(/^.*app.kubernetes.io\/managed-by: Helm\n/gm, '')}`;
}

/** What the chart becomes with these values. */
export async function rendered(helm: string, ...values: readonly string[]): Promise<string> {
  const set = values.flatMap((value) => ['--set', value]);
  const { stdout } = await run(
    helm,
    ['template', 'decant', CHART, '--namespace', NAMESPACE, '--kube-version', '1.30', ...set],
    {
      maxBuffer: 1 << 24,
    },
  );
  return stdout;
}
