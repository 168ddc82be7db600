import type { ApiClient, ApiRequest } from '../../src/live/api-client.ts';

/** An API server that says what it is told to say, and remembers what it was asked. */
export class FakeApi implements ApiClient {
  readonly asked: ApiRequest[] = [];
  private readonly answer: (request: ApiRequest) => unknown;

  constructor(answer: (request: ApiRequest) => unknown = () => ({})) {
    this.answer = answer;
  }

  async request<T = unknown>(request: ApiRequest): Promise<T> {
    this.asked.push(request);
    request.onStatus?.(200);
    return (await this.answer(request)) as T;
  }

  async stream(): Promise<AsyncIterable<Uint8Array>> {
    throw new Error('nothing is streamed here');
  }

  bodies<T>(method: ApiRequest['method']): readonly T[] {
    return this.asked.filter((r) => r.method === method).map((r) => r.body as T);
  }
}
