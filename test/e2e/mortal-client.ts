import type { ApiClient, ApiRequest } from '../../src/live/api-client.ts';

/** Dies right after this many writes: the last one has happened, and its answer is lost. */
export class MortalClient implements ApiClient {
  writes = 0;
  private readonly client: ApiClient;
  private readonly lifetime: number;

  constructor(client: ApiClient, lifetime: number) {
    this.client = client;
    this.lifetime = lifetime;
  }

  get isDead(): boolean {
    return this.writes >= this.lifetime;
  }

  async request<T>(request: ApiRequest): Promise<T> {
    if (this.isDead) throw new Error('killed');
    if (request.method === 'GET') return this.client.request<T>(request);
    const answer = await this.client.request<T>(request);
    this.writes++;
    if (this.isDead) throw new Error('killed');
    return answer;
  }

  async stream(request: ApiRequest): Promise<AsyncIterable<Uint8Array>> {
    if (this.isDead) throw new Error('killed');
    return this.client.stream(request);
  }
}
