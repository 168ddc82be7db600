import { readFileSync } from 'node:fs';
import { InputError } from '../../config/input-error.ts';
import { reasonOf } from '../../kube/read/input-paths.ts';
import { readCertificate, type TlsFiles } from '../../serving/tls-files.ts';
import type { Dashboard } from '../../web/server/dashboard.ts';
import { type Admit, admitToken, newToken } from '../../web/server/guard.ts';
import { loadPage } from '../../web/server/page-files.ts';
import { isLoopback, WebServer } from '../../web/server/web-server.ts';
import type { ListenFlags } from '../flags/listen.ts';
import { UsageError } from '../flags/usage-error.ts';

/** Differs from the metrics port. */
const USUAL_PORT = 8090;

export interface ListenOptions extends ListenFlags {
  /** Instead of a token: decides who may see the dashboard. */
  readonly admit?: Admit;
}

export interface Served {
  /** URL to open, including a generated token. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the dashboard, and closes it with the server. `flag`: prefix of its flags. Throws UsageError or InputError.
 */
export async function serveDashboard(dashboard: Dashboard, options: ListenOptions, flag = '--'): Promise<Served> {
  try {
    const token = options.admit === undefined ? tokenOf(options, flag) : undefined;
    const admit = token === undefined ? options.admit : admitToken(token);
    const tls = tlsOf(options, flag);
    const server = new WebServer(dashboard, await loadPage(), { address: options.bindAddress, admit, tls });
    const url = await listening(server, options, flag);
    return {
      // After a #, which browsers do not send.
      url: token === undefined || options.tokenFile !== undefined ? url : `${url}#token=${token}`,
      close: async () => {
        await server.close();
        await dashboard.close();
      },
    };
  } catch (error) {
    await dashboard.close();
    throw error;
  }
}

function tokenOf({ bindAddress, tokenFile }: ListenOptions, flag: string): string | undefined {
  if (tokenFile !== undefined) return readToken(tokenFile, `${flag}token-file ${tokenFile}`);
  return bindAddress === undefined || isLoopback(bindAddress) ? undefined : newToken();
}

/** Throws UsageError or InputError: tokens and the cluster do not go over a network in clear text unless told to. */
export function tlsOf(options: ListenOptions, flag: string): TlsFiles | undefined {
  const { bindAddress, tlsCertFile: cert, tlsKeyFile: key, plainHttp = false } = options;
  if (cert === undefined && key === undefined) {
    if (plainHttp || bindAddress === undefined || isLoopback(bindAddress)) return undefined;
    throw new UsageError(
      `${flag}bind-address ${bindAddress}: also needs ${flag}tls-cert-file and ${flag}tls-key-file, or ${flag}plain-http behind a proxy that encrypts`,
    );
  }
  if (plainHttp) throw new UsageError(`${flag}plain-http: is for a dashboard without ${flag}tls-cert-file`);
  if (cert === undefined || key === undefined)
    throw new UsageError(`${flag}tls-cert-file and ${flag}tls-key-file are needed together`);
  try {
    readCertificate({ cert, key });
  } catch (error) {
    throw new InputError(`${flag}tls-cert-file ${cert}, ${flag}tls-key-file ${key}: ${reasonOf(error)}`);
  }
  return { cert, key };
}

const LEAST_TOKEN = 16;

export function readToken(file: string, given: string): string {
  let token: string;
  try {
    token = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new InputError(`${given}: ${reasonOf(error)}`);
  }
  if (token.length < LEAST_TOKEN || /\s/.test(token))
    throw new InputError(`${given}: allowed: one word of at least ${LEAST_TOKEN} characters`);
  return token;
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program; 0 picks a free port',
  EACCES: 'needs more privileges; use a port from 1024 up',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not an address of this machine',
};

async function listening(server: WebServer, { port, bindAddress }: ListenOptions, flag: string): Promise<string> {
  try {
    return await server.listen(port ?? USUAL_PORT);
  } catch (error) {
    if (port === undefined && (error as NodeJS.ErrnoException).code === 'EADDRINUSE') return server.listen(0);
    const flags = { port: `${flag}port ${port ?? USUAL_PORT}`, address: `${flag}bind-address ${bindAddress}` };
    throw cannotListen(error as NodeJS.ErrnoException, flags);
  }
}

/** Names the flag at fault. */
export function cannotListen(
  { code = '', message }: NodeJS.ErrnoException,
  flags: { readonly port: string; readonly address: string },
): UsageError {
  const isPort = code === 'EADDRINUSE' || code === 'EACCES';
  return new UsageError(`${isPort ? flags.port : flags.address}: ${REASONS[code] ?? message}`);
}
