import { readFileSync } from 'node:fs';
import { InputError } from '../kube/read/input-error.ts';
import { reasonOf } from '../kube/read/input-paths.ts';
import type { Dashboard } from '../web/server/dashboard.ts';
import { newToken } from '../web/server/guard.ts';
import { loadPage } from '../web/server/page-files.ts';
import { isLoopback, WebServer } from '../web/server/web-server.ts';
import { UsageError } from './usage-error.ts';

const USUAL_PORT = 8080;

export interface ListenOptions {
  /** undefined: the usual one, or any that is free where that is taken. */
  readonly port?: number;
  readonly bindAddress?: string;
  readonly tokenFile?: string;
}

export interface Served {
  /** To be opened in a browser; with the token in it if it was made just now. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the dashboard, and closes it with the server. `flag`: what its flags begin with. Throws UsageError or InputError. */
export async function serveDashboard(dashboard: Dashboard, options: ListenOptions, flag = '--'): Promise<Served> {
  try {
    const token = tokenOf(options, flag);
    const server = new WebServer(dashboard, await loadPage(), { address: options.bindAddress, token });
    const url = await listening(server, options, flag);
    return {
      // After a #, where browsers keep it to themselves.
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

const LEAST_TOKEN = 16;

function readToken(file: string, given: string): string {
  let token: string;
  try {
    token = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new InputError(`${given}: ${reasonOf(error)}`);
  }
  if (token.length < LEAST_TOKEN || /\s/.test(token))
    throw new InputError(`${given}: want one word of at least ${LEAST_TOKEN} characters`);
  return token;
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program; 0 takes any that is free',
  EACCES: 'is not for this user; ports from 1024 on are',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not an address of this machine',
};

async function listening(server: WebServer, { port, bindAddress }: ListenOptions, flag: string): Promise<string> {
  try {
    return await server.listen(port ?? USUAL_PORT);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' && port === undefined) return server.listen(0);
    const isPort = code === 'EADDRINUSE' || code === 'EACCES';
    const what = isPort ? `${flag}port ${port ?? USUAL_PORT}` : `${flag}bind-address ${bindAddress}`;
    throw new UsageError(`${what}: ${REASONS[code] ?? message}`);
  }
}
