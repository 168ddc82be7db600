import type { RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import { problemText } from '../config/problem.ts';
import { reasonOf } from '../kube/read/input-paths.ts';
import { ApiError, type ConnectOptions } from './api-client.ts';

/** Where an API server is, and how to be let in. */
export interface ClusterAccess {
  readonly server: URL;
  /** TLS settings, headers and, behind a proxy, an agent. Asked before every request: tokens and certificates expire. */
  credentials(): Promise<RequestOptions>;
}

/** What the library falls back to when it finds nothing at all. */
const NOTHING_FOUND = { context: 'loaded-context', server: 'http://localhost:8080' };

export async function loadAccess({ kubeconfig, context }: ConnectOptions): Promise<ClusterAccess> {
  const config = new KubeConfig();
  const source = kubeconfig ?? (process.env.KUBECONFIG || 'kubeconfig');
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(kubeconfig);
  } catch (error) {
    throw badConfig(`${source}: ${messageOf(error)}`, error);
  }
  if (
    config.getCurrentContext() === NOTHING_FOUND.context &&
    config.getCurrentCluster()?.server === NOTHING_FOUND.server
  )
    throw badConfig('no cluster: there is no KUBECONFIG and no ~/.kube/config, and this is not a pod of a cluster');
  // Behind `kubectl proxy` there is no TLS to verify, and the library would refuse for want of it.
  config.clusters = config.clusters.map((c) => (c.server.startsWith('http:') ? { ...c, skipTLSVerify: true } : c));
  if (context !== undefined) config.setCurrentContext(context);
  const cluster = config.getCurrentCluster();
  if (cluster === null) {
    const known = config.getContexts().map(({ name }) => name);
    const wanted = config.getCurrentContext();
    const found = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
    throw badConfig(`${source}: ${wanted ? `no context ${wanted} with a cluster` : 'no current context'}; ${found}`);
  }
  return { server: serverOf(cluster.server, source), credentials: () => credentialsOf(config, cluster.proxyUrl) };
}

function serverOf(text: string, source: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw badConfig(problemText({ object: source, field: 'cluster.server', value: text, allowed: 'an https URL' }));
}

async function credentialsOf(config: KubeConfig, proxyUrl: string | undefined): Promise<RequestOptions> {
  const options: RequestOptions = {};
  try {
    await config.applyToHTTPSOptions(options);
  } catch (error) {
    throw badConfig(`no credentials: ${messageOf(error)}`, error);
  }
  // The library makes one agent for all times, with the first certificate and without keep-alive: ours is better, but
  // only it knows proxies.
  if (!proxyUrl) delete options.agent;
  return options;
}

function badConfig(message: string, cause?: unknown): ApiError {
  return new ApiError(message, { status: 0, reason: 'BadConfig' }, cause);
}

/** Plugins print whole pages. */
function messageOf(error: unknown): string {
  if (error instanceof Error && 'syscall' in error) return reasonOf(error);
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n', 1)[0].slice(0, 300);
}
