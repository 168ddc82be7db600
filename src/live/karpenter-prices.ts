import { type MetricsReading, readKarpenterMetrics } from '../catalog/karpenter-metrics.ts';
import { type ApiClient, absentOn, UNREADABLE } from './api-client.ts';
import { KARPENTER_QUERIES } from './karpenter-queries.ts';

const LEASE = 'karpenter-leader-election';
const PORT_NAME = 'http-metrics';
const USUAL_PORT = 8080;
/** Only the leader of several replicas has prices, and the Service picks any. */
const MOST_TRIES = 8;
const PATIENCE_MS = 15_000;
/** Twice the size of the largest region. */
const MOST_BYTES = 32 << 20;

export interface MetricsAccess {
  readonly client: ApiClient;
  /** Running in a pod of the cluster: the leader's pod is reachable by its address, unless `podsProxy`. */
  readonly inCluster: boolean;
  /** Ask the leader's pod through the API server; needs permission to proxy to every pod of Karpenter's namespace. */
  readonly podsProxy: boolean;
}

/** `unreachable`: why Karpenter could not be asked. */
export type KarpenterAnswer = MetricsReading | { readonly unreachable: string };

interface MetricsService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/**
 * Karpenter's metrics: from the leader's pod if it is found and reachable, else from its Service until the leader
 * answers.
 */
export async function askKarpenter(access: MetricsAccess): Promise<KarpenterAnswer> {
  const { client, inCluster, podsProxy } = access;
  try {
    const service = await findService(client);
    if (service === undefined)
      return { unreachable: 'the cluster has no Service with the label app.kubernetes.io/name=karpenter' };
    const leader = inCluster || podsProxy ? await findLeader(client, service) : undefined;
    if (leader !== undefined) {
      const path = `/api/v1/namespaces/${service.namespace}/pods/${leader.pod}:${service.port}/proxy/metrics`;
      const direct = `http://${hostOf(leader.ip)}:${service.port}/metrics`;
      const answer = await attempt(() => (podsProxy ? proxied(client, path) : textOf(direct)));
      if ('prices' in answer) return answer;
    }
    const { namespace, name } = service;
    const path = `/api/v1/namespaces/${namespace}/services/${name}:${PORT_NAME}/proxy/metrics`;
    return await untilLeaderAnswers(() => proxied(client, path));
  } catch (error) {
    return { unreachable: error instanceof Error ? error.message : String(error) };
  }
}

/** The metrics at a URL, which may belong to several replicas. */
export function askUrl(url: string): Promise<KarpenterAnswer> {
  return untilLeaderAnswers(() => textOf(url));
}

async function untilLeaderAnswers(ask: () => Promise<string>): Promise<KarpenterAnswer> {
  let answer = await attempt(ask);
  for (let tries = 1; tries < MOST_TRIES && 'missing' in answer; tries++) answer = await attempt(ask);
  return answer;
}

async function attempt(ask: () => Promise<string>): Promise<KarpenterAnswer> {
  try {
    return readKarpenterMetrics(await ask(), Date.now());
  } catch (error) {
    return { unreachable: error instanceof Error ? error.message : String(error) };
  }
}

interface ServiceObject {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec?: {
    readonly ports?: readonly { readonly name?: string; readonly port: number; readonly targetPort?: unknown }[];
  };
}

async function findService(client: ApiClient): Promise<MetricsService | undefined> {
  for (const query of KARPENTER_QUERIES) {
    const path = '/api/v1/services';
    const { items = [] } = await client.request<{ readonly items?: readonly ServiceObject[] }>({
      method: 'GET',
      path,
      query,
    });
    const found = items.flatMap(({ metadata, spec }) => {
      const port = spec?.ports?.find(({ name }) => name === PORT_NAME);
      // A named target port refers to the container's, which has the same number in the chart.
      return port === undefined
        ? []
        : { ...metadata, port: typeof port.targetPort === 'number' ? port.targetPort : (port.port ?? USUAL_PORT) };
    });
    const namespaces = [...new Set(found.map(({ namespace }) => namespace))];
    // Whoever may create a Service could otherwise set the prices.
    if (namespaces.length > 1)
      throw new Error(
        `Services with Karpenter's label are in several namespaces (${namespaces.join(', ')}): name its address with --prices http://…/metrics`,
      );
    if (found.length > 0) return found[0];
  }
  return undefined;
}

/** The pod that holds Karpenter's Lease; undefined without permission or holder. */
async function findLeader(
  client: ApiClient,
  { namespace }: MetricsService,
): Promise<{ readonly pod: string; readonly ip: string } | undefined> {
  const get = <T>(path: string) => absentOn(UNREADABLE, client.request<T>({ method: 'GET', path }));
  const lease = await get<{ readonly spec?: { readonly holderIdentity?: string } }>(
    `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${LEASE}`,
  );
  // <pod>_<uuid>
  const pod = lease?.spec?.holderIdentity?.replace(/_[^_]*$/, '') ?? '';
  if (pod === '') return undefined;
  const found = await get<{ readonly status?: { readonly podIP?: string } }>(
    `/api/v1/namespaces/${namespace}/pods/${pod}`,
  );
  const ip = found?.status?.podIP;
  return ip === undefined ? undefined : { pod, ip };
}

async function proxied(client: ApiClient, path: string): Promise<string> {
  return collected(await client.stream({ method: 'GET', path, idleMs: PATIENCE_MS }), path);
}

async function textOf(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    return await collected(response.body ?? [], 'the response');
  } catch (error) {
    const { cause, message } = error as Error;
    throw new Error(`${url}: ${cause instanceof Error ? cause.message : message}`);
  }
}

async function collected(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, source: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw new Error(`${source} has more than ${MOST_BYTES >> 20} MiB`);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function hostOf(ip: string): string {
  return ip.includes(':') ? `[${ip}]` : ip;
}
