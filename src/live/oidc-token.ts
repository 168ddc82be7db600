import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

type OidcConfig = Readonly<Record<string, string>>;

/** Time before expiry at which a token is renewed. */
const EARLY_MS = 10_000;

/**
 * Tokens of the `oidc` auth provider: the kubeconfig's while it is valid, then those that the issuer returns for the
 * refresh token. Nothing is written back to the kubeconfig.
 */
export class OidcTokens {
  private readonly config: OidcConfig;
  private token: string | undefined;
  private refreshToken: string | undefined;

  constructor(config: OidcConfig) {
    this.config = config;
    this.token = config['id-token'];
    this.refreshToken = config['refresh-token'];
  }

  async current(nowMs: number): Promise<string> {
    if (this.token !== undefined && expiryMs(this.token) > nowMs + EARLY_MS) return this.token;
    const { 'idp-issuer-url': issuer, 'client-id': client } = this.config;
    if (!this.refreshToken || !issuer || !client)
      throw new Error('the OIDC token has expired, and the kubeconfig has no refresh token for it: log in again');
    return this.renew(issuer, client, this.refreshToken);
  }

  private async renew(issuer: string, client: string, refreshToken: string): Promise<string> {
    const { token_endpoint: endpoint } = await this.ask(
      `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    );
    if (typeof endpoint !== 'string') throw new Error(`OIDC issuer ${issuer} has no token endpoint`);
    const secret = this.config['client-secret'];
    const form = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: client,
      ...(secret ? { client_secret: secret } : {}),
    });
    const answer = await this.ask(endpoint, form.toString());
    if (typeof answer.id_token !== 'string') throw new Error(`OIDC issuer ${issuer} returned no token: log in again`);
    this.token = answer.id_token;
    if (typeof answer.refresh_token === 'string') this.refreshToken = answer.refresh_token;
    return this.token;
  }

  private ask(url: string, form?: string): Promise<Record<string, unknown>> {
    const ca = authority(this.config);
    return new Promise((settle, reject) => {
      const headers = form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
      const request = url.startsWith('http:') ? httpRequest : httpsRequest;
      const sent = request(
        url,
        { method: form === undefined ? 'GET' : 'POST', headers, timeout: 15_000, ca },
        (response) => {
          let body = '';
          response.setEncoding('utf8').on('data', (text: string) => (body += text));
          response.on('error', reject).on('end', () => {
            if (response.statusCode !== 200)
              reject(new Error(`OIDC: ${new URL(url).host} returned ${response.statusCode}`));
            else settle(JSON.parse(body) as Record<string, unknown>);
          });
        },
      );
      sent.on('timeout', () => sent.destroy(new Error(`OIDC: ${new URL(url).host} does not respond`)));
      sent.on('error', reject).end(form);
    });
  }
}

function authority(config: OidcConfig): Buffer | undefined {
  const data = config['idp-certificate-authority-data'];
  if (data) return Buffer.from(data, 'base64');
  const file = config['idp-certificate-authority'];
  return file ? readFileSync(file) : undefined;
}

/** 0 for an invalid token. */
function expiryMs(token: string): number {
  try {
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString()) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : 0;
  } catch {
    return 0;
  }
}
