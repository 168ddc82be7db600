import { writeFile } from 'node:fs/promises';
import { JOURNAL_RESOURCE, POLICY_RESOURCE, pathOf, RESOURCES, type Resource } from '../../src/live/resource.ts';
import { ScriptedServer, sendJson, sendStatus } from './scripted-server.ts';

interface KubeObject {
  readonly apiVersion?: string;
  readonly kind: string;
}

const ALL: readonly Resource[] = [...Object.values(RESOURCES), POLICY_RESOURCE, JOURNAL_RESOURCE];

/** A server that lists these objects as an API server would, each kind where it belongs. */
export async function listedCluster(
  objects: readonly KubeObject[],
  refusals: ReadonlyMap<string, number> = new Map(),
): Promise<ScriptedServer> {
  const byPath = new Map(ALL.map((resource) => [pathOf(resource), resource]));
  return ScriptedServer.start(({ path }, response) => {
    const resource = byPath.get(path);
    const refusal = refusals.get(resource?.kind ?? '');
    if (resource === undefined) return sendStatus(response, 404, 'NotFound');
    if (refusal !== undefined) return sendStatus(response, refusal, refusal === 403 ? 'Forbidden' : 'NotFound');
    // Items of a list do not say what they are.
    const items = objects
      .filter(({ kind }) => kind === resource.kind)
      .map(({ apiVersion: _1, kind: _2, ...rest }) => rest);
    return sendJson(response, { kind: `${resource.kind}List`, metadata: { resourceVersion: '1' }, items });
  });
}

/** A kubeconfig for a server on loopback without TLS. */
export async function writeKubeconfig(file: string, server: string): Promise<string> {
  const config = {
    clusters: [{ name: 'c', cluster: { server } }],
    users: [{ name: 'u', user: { token: 'secret\n' } }],
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'here',
  };
  await writeFile(file, JSON.stringify(config));
  return file;
}
