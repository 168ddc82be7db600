import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:https';
import { askPlugin, type ExecCredential } from './exec-plugin.ts';
import type { KubeCluster, KubeUser } from './kubeconfig.ts';
import { OidcTokens } from './oidc-token.ts';

/** The kubelet renews a pod's token well before it expires; client-go reads it again every minute, too. */
const TOKEN_FILE_MS = 60_000;
/** Time before expiry at which a plugin is asked again. */
const EARLY_MS = 10_000;

/** TLS settings and headers of every request. Queried before each, because tokens and certificates expire. */
export class Credentials {
  private readonly cluster: KubeCluster;
  private readonly user: KubeUser;
  private readonly oidc: OidcTokens | undefined;
  private readonly now: () => number;
  private plugin: Promise<ExecCredential> | undefined;
  private file: { readonly text: string; readonly untilMs: number } | undefined;

  constructor(cluster: KubeCluster, user: KubeUser, now: () => number = Date.now) {
    const provider = user['auth-provider'];
    if (provider !== undefined && provider.name !== 'oidc')
      throw new Error(`auth provider ${provider.name} was removed from Kubernetes: use an exec plugin`);
    this.cluster = cluster;
    this.user = user;
    this.now = now;
    this.oidc = provider === undefined ? undefined : new OidcTokens(provider.config ?? {});
  }

  async current(): Promise<RequestOptions> {
    const answer = this.user.exec === undefined ? undefined : await this.pluginAnswer();
    const authorization = await this.authorization(answer);
    const { user, cluster } = this;
    const cert = answer?.clientCertificateData ?? content(user, 'client-certificate');
    const key = answer?.clientKeyData ?? content(user, 'client-key');
    const ca = content(cluster, 'certificate-authority');
    return {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      ...(cluster['insecure-skip-tls-verify'] === true ? { rejectUnauthorized: false } : {}),
      ...(cluster['tls-server-name'] ? { servername: cluster['tls-server-name'] } : {}),
      headers: { ...(authorization === undefined ? {} : { Authorization: authorization }), ...impersonation(user) },
    };
  }

  /** Precedence as in client-go: token file, token, plugin, user name and password. */
  private async authorization(answer: ExecCredential | undefined): Promise<string | undefined> {
    const { token, tokenFile, username, password = '' } = this.user;
    if (tokenFile) return `Bearer ${await this.fileToken(tokenFile)}`;
    if (token) return `Bearer ${token}`;
    if (answer?.token !== undefined) return `Bearer ${answer.token}`;
    if (this.oidc !== undefined) return `Bearer ${await this.oidc.current(this.now())}`;
    if (username) return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    return undefined;
  }

  private async fileToken(path: string): Promise<string> {
    if (this.file === undefined || this.file.untilMs <= this.now())
      this.file = { text: (await readFile(path, 'utf8')).trim(), untilMs: this.now() + TOKEN_FILE_MS };
    return this.file.text;
  }

  /** One run of the plugin at a time serves all waiting requests. */
  private async pluginAnswer(): Promise<ExecCredential> {
    const known = await this.plugin?.catch(() => undefined);
    if (known !== undefined && (known.expiresMs ?? Number.POSITIVE_INFINITY) > this.now() + EARLY_MS) return known;
    if (known !== undefined || this.plugin === undefined) this.plugin = askPlugin(this.user.exec!, this.cluster);
    const { plugin } = this;
    try {
      return await plugin;
    } catch (error) {
      if (this.plugin === plugin) this.plugin = undefined;
      throw error;
    }
  }
}

/** Data takes precedence over a file; a file is read each time, because certificates are renewed in place. */
function content<T extends object>(fields: T, name: keyof T & string): string | Buffer | undefined {
  const values = fields as Readonly<Record<string, unknown>>;
  const data = values[`${name}-data`];
  if (typeof data === 'string' && data !== '') return Buffer.from(data, 'base64');
  const file = values[name];
  return typeof file === 'string' && file !== '' ? readFileSync(file) : undefined;
}

function impersonation(user: KubeUser): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  if (user.as) headers['Impersonate-User'] = user.as;
  if (user['as-uid']) headers['Impersonate-Uid'] = user['as-uid'];
  if (user['as-groups']?.length) headers['Impersonate-Group'] = [...user['as-groups']];
  for (const [key, values] of Object.entries(user['as-user-extra'] ?? {}))
    headers[`Impersonate-Extra-${encodeURIComponent(key)}`] = [...values];
  return headers;
}
