import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { load as parseYaml } from 'js-yaml';

/** The parts of a kubeconfig that kubectl reads, with their field names. Paths are absolute. */
export interface KubeCluster {
  readonly server?: string;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'tls-server-name'?: string;
  readonly 'proxy-url'?: string;
}

export interface ExecConfig {
  readonly apiVersion?: string;
  readonly command: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
  readonly interactiveMode?: string;
}

export interface KubeUser {
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly exec?: ExecConfig;
  readonly 'auth-provider'?: { readonly name: string; readonly config?: Readonly<Record<string, string>> };
  readonly as?: string;
  readonly 'as-uid'?: string;
  readonly 'as-groups'?: readonly string[];
  readonly 'as-user-extra'?: Readonly<Record<string, readonly string[]>>;
}

export interface KubeContext {
  readonly cluster: string;
  readonly user?: string;
}

export interface Kubeconfig {
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, KubeCluster>;
  readonly users: ReadonlyMap<string, KubeUser>;
  readonly contexts: ReadonlyMap<string, KubeContext>;
}

/**
 * The files that kubectl would read: the named one; else those of KUBECONFIG that exist; else ~/.kube/config. Empty if
 * there is none.
 */
export function kubeconfigFiles(
  named: string | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): readonly string[] {
  if (named !== undefined) return [named];
  if (env.KUBECONFIG) {
    const listed = env.KUBECONFIG.split(delimiter).filter((path) => path !== '');
    // kubectl skips missing files, unless none is left.
    const there = listed.filter((path) => existsSync(path));
    return there.length === 0 ? listed.slice(0, 1) : there;
  }
  const usual = join(homedir(), '.kube', 'config');
  return existsSync(usual) ? [usual] : [];
}

/** Name of the context that kubectl would use; undefined without a kubeconfig. */
export function currentContext(named: string | undefined): string | undefined {
  return readKubeconfig(kubeconfigFiles(named)).currentContext;
}

/** Merges files as kubectl does: earlier ones take precedence. */
export function readKubeconfig(files: readonly string[]): Kubeconfig {
  let currentContext: string | undefined;
  const clusters = new Map<string, KubeCluster>();
  const users = new Map<string, KubeUser>();
  const contexts = new Map<string, KubeContext>();
  for (const file of files) {
    const document = record(parseYaml(readFileSync(file, 'utf8')), 'a kubeconfig');
    const folder = dirname(resolve(file));
    currentContext ??= text(document['current-context']);
    add(clusters, document.clusters, 'cluster', (c) => absolute(c, ['certificate-authority'], folder));
    add(users, document.users, 'user', (u) => userOf(u, folder));
    add(contexts, document.contexts, 'context', (c) => c as unknown as KubeContext);
  }
  return { currentContext, clusters, users, contexts };
}

type Fields = Readonly<Record<string, unknown>>;

function add<T>(all: Map<string, T>, list: unknown, field: string, of: (fields: Fields) => T): void {
  if (list === undefined || list === null) return;
  if (!Array.isArray(list)) throw new Error(`${field}s: must be a list`);
  for (const each of list) {
    const entry = record(each, `an entry of ${field}s`);
    const name = text(entry.name);
    if (name !== undefined && !all.has(name)) all.set(name, of(record(entry[field] ?? {}, `${field} ${name}`)));
  }
}

function userOf(fields: Fields, folder: string): KubeUser {
  const user = absolute(fields, ['client-certificate', 'client-key', 'tokenFile'], folder) as KubeUser;
  const { exec } = user;
  // A command with a slash is relative to the kubeconfig, as in kubectl.
  if (exec === undefined || typeof exec.command !== 'string' || !/[/\\]/.test(exec.command)) return user;
  return { ...user, exec: { ...exec, command: isAbsolute(exec.command) ? exec.command : join(folder, exec.command) } };
}

function absolute(fields: Fields, paths: readonly string[], folder: string): Fields {
  const changed = Object.entries(fields).map(([key, value]) => {
    const relative = paths.includes(key) && typeof value === 'string' && value !== '' && !isAbsolute(value);
    return [key, relative ? join(folder, value as string) : value] as const;
  });
  return Object.fromEntries(changed);
}

function record(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new Error(`not ${what}`);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
