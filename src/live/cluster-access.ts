import { existsSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import { problemText } from '../config/problem.ts';
import { reasonOf } from '../kube/read/input-paths.ts';
import { ApiError, type ConnectOptions } from './api-client.ts';
import { Credentials } from './credentials.ts';
import { type KubeCluster, type Kubeconfig, type KubeUser, kubeconfigFiles, readKubeconfig } from './kubeconfig.ts';

/** An API server's address and credentials. */
export interface ClusterAccess {
  readonly server: URL;
  /** From the kubeconfig; default: from the environment. */
  readonly proxyUrl?: string;
  /** TLS settings and headers. Queried before every request: tokens and certificates expire. */
  credentials(): Promise<RequestOptions>;
}

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

export async function loadAccess({ kubeconfig, context }: ConnectOptions): Promise<ClusterAccess> {
  const files = kubeconfigFiles(kubeconfig);
  if (files.length === 0) return inCluster();
  const source = kubeconfig ?? (process.env.KUBECONFIG || 'kubeconfig');
  let config: Kubeconfig;
  try {
    config = readKubeconfig(files);
  } catch (error) {
    throw badConfig(`${source}: ${messageOf(error)}`, error);
  }
  const wanted = context ?? config.currentContext;
  const chosen = wanted === undefined ? undefined : config.contexts.get(wanted);
  const cluster = chosen === undefined ? undefined : config.clusters.get(chosen.cluster);
  if (cluster === undefined) {
    const known = [...config.contexts.keys()];
    const found = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
    throw badConfig(`${source}: ${wanted ? `no context ${wanted} with a cluster` : 'no current context'}; ${found}`);
  }
  return accessTo(cluster, config.users.get(chosen?.user ?? '') ?? {}, source);
}

function accessTo(cluster: KubeCluster, user: KubeUser, source: string): ClusterAccess {
  const { server = '', 'proxy-url': proxyUrl } = cluster;
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw badConfig(problemText({ object: source, field: 'cluster.server', value: server, allowed: 'an https URL' }));
  if (proxyUrl && !/^https?:/.test(proxyUrl))
    throw badConfig(
      problemText({ object: source, field: 'cluster.proxy-url', value: proxyUrl, allowed: 'an http or https URL' }),
    );
  const asked = withReason(() => new Credentials(cluster, user));
  return {
    server: url,
    ...(proxyUrl ? { proxyUrl } : {}),
    credentials: () => asked.current().catch((error: unknown) => refused(error)),
  };
}

/** The pod's own service account. */
function inCluster(): ClusterAccess {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
  const tokenFile = `${SERVICE_ACCOUNT}/token`;
  if (!host || !port || !existsSync(tokenFile))
    throw badConfig('no cluster: there is no KUBECONFIG and no ~/.kube/config, and this is not a pod of a cluster');
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return accessTo({ server, 'certificate-authority': `${SERVICE_ACCOUNT}/ca.crt` }, { tokenFile }, 'service account');
}

function withReason<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): never {
  throw badConfig(`no credentials: ${messageOf(error)}`, error);
}

function badConfig(message: string, cause?: unknown): ApiError {
  return new ApiError(message, { status: 0, reason: 'BadConfig' }, cause);
}

/** Plugins may print many lines. */
function messageOf(error: unknown): string {
  if (error instanceof Error && 'syscall' in error) return reasonOf(error);
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n', 1)[0].slice(0, 300);
}
