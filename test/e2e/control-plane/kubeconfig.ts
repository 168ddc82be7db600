import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Certificate } from './certificates.ts';

/** Self-contained: the file works wherever it is copied to, as long as the control plane runs. */
export async function writeKubeconfig(
  path: string,
  server: string,
  ca: Buffer,
  identity: Certificate,
): Promise<string> {
  const base64 = (file: string) => readFileSync(file).toString('base64');
  const name = 'decant-e2e';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: { server, 'certificate-authority-data': ca.toString('base64') } }],
    users: [
      {
        name,
        user: {
          'client-certificate-data': base64(identity.certFile),
          'client-key-data': base64(identity.keyFile),
        },
      },
    ],
  };
  await writeFile(path, JSON.stringify(config, undefined, 2), { mode: 0o600 });
  return path;
}
