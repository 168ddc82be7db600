import { type ApiClient, ApiError, type ApiRequest, serverTimeMs } from '../live/api-client.ts';
import type { OperatorMetrics } from './metrics.ts';

/** Counts requests by what was wanted and what was answered. */
export class MeteredClient implements ApiClient {
  private readonly client: ApiClient;
  private readonly metrics: OperatorMetrics;
  /** Told of every write that came through, before its answer is passed on. */
  private readonly onWritten: (request: ApiRequest) => void;

  constructor(client: ApiClient, metrics: OperatorMetrics, onWritten: (request: ApiRequest) => void = () => {}) {
    this.client = client;
    this.metrics = metrics;
    this.onWritten = onWritten;
  }

  async request<T = unknown>(request: ApiRequest): Promise<T> {
    const answer = await this.counted(request, this.client.request<T>(request));
    if (request.method !== 'GET') this.onWritten(request);
    return answer;
  }

  async stream(request: ApiRequest): Promise<AsyncIterable<Uint8Array>> {
    return this.counted(request, this.client.stream(request));
  }

  nowMs(): number {
    return serverTimeMs(this.client);
  }

  private async counted<T>(request: ApiRequest, answer: Promise<T>): Promise<T> {
    const verb = verbOf(request);
    try {
      const value = await answer;
      this.metrics.apiRequests.inc({ verb, code: request.method === 'POST' ? '201' : '200' });
      return value;
    } catch (error) {
      this.metrics.apiRequests.inc({ verb, code: error instanceof ApiError ? String(error.status) : '0' });
      throw error;
    }
  }
}

/** As Kubernetes' own audit names them, as far as a request shows. */
function verbOf({ method, query }: ApiRequest): string {
  if (method !== 'GET') return { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }[method];
  if (query?.watch === 'true' || query?.watch === '1') return 'watch';
  return query?.limit === undefined ? 'get' : 'list';
}
