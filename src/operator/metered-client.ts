import { type ApiClient, ApiError, type ApiRequest, serverTimeMs } from '../live/api-client.ts';
import type { OperatorMetrics } from './metrics.ts';

/** Counts requests by verb and by the status code of the response. */
export class MeteredClient implements ApiClient {
  private readonly client: ApiClient;
  private readonly metrics: OperatorMetrics;
  /** Called after every successful write, before the caller gets the response. */
  private readonly onWritten: (request: ApiRequest) => void;

  constructor(client: ApiClient, metrics: OperatorMetrics, onWritten: (request: ApiRequest) => void = () => {}) {
    this.client = client;
    this.metrics = metrics;
    this.onWritten = onWritten;
  }

  async request<T = unknown>(request: ApiRequest): Promise<T> {
    const answer = await this.counted(request, (counted) => this.client.request<T>(counted));
    if (request.method !== 'GET') this.onWritten(request);
    return answer;
  }

  async stream(request: ApiRequest): Promise<AsyncIterable<Uint8Array>> {
    return this.counted(request, (counted) => this.client.stream(counted));
  }

  nowMs(): number {
    return serverTimeMs(this.client);
  }

  /** Code 0: there was no response. */
  private async counted<T>(request: ApiRequest, send: (request: ApiRequest) => Promise<T>): Promise<T> {
    let code = 0;
    const onStatus = (status: number) => {
      code = status;
    };
    try {
      return await send({ ...request, onStatus });
    } catch (error) {
      if (error instanceof ApiError) code = error.status;
      throw error;
    } finally {
      this.metrics.apiRequests.inc({ verb: verbOf(request), code: String(code) });
    }
  }
}

/** As the audit log of Kubernetes names it. */
function verbOf({ method, query }: ApiRequest): string {
  if (method !== 'GET') return { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }[method];
  if (query?.watch === 'true' || query?.watch === '1') return 'watch';
  return query?.limit === undefined ? 'get' : 'list';
}
