/** One request to an API server. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Such as /api/v1/pods. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** application/json unless told otherwise; a patch says which kind of patch it is. */
  readonly contentType?: string;
  readonly signal?: AbortSignal;
  /** Without a byte for so long it has failed; otherwise as the client was told. */
  readonly idleMs?: number;
  /** Called with the status code of the response, as soon as there is one. */
  readonly onStatus?: (status: number) => void;
}

/** An API server, with the credentials of whoever runs us. */
export interface ApiClient {
  /** Parsed JSON of a 2xx answer; otherwise throws ApiError. */
  request<T = unknown>(request: ApiRequest): Promise<T>;
  /** The body in pieces as it arrives (lists of many MB, watches). Whoever stops reading ends the request. */
  stream(request: ApiRequest): Promise<AsyncIterable<Uint8Array>>;
  /** What time it is for the server, as far as its answers tell; without this, our own clock has to do. */
  nowMs?(): number;
}

export function serverTimeMs(client: ApiClient): number {
  return client.nowMs?.() ?? Date.now();
}

export interface ApiFailure {
  /** Of the HTTP answer; 0: there was none. */
  readonly status: number;
  /** As the API server names it (NotFound, Conflict, Expired …), or Unreachable, Timeout, BadAnswer, BadConfig. */
  readonly reason: string;
  /** When the server wants to be asked again. */
  readonly retryAfterMs?: number;
}

/** A request that did not come to what was asked for. The message is one line for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly reason: string;
  readonly retryAfterMs?: number;

  constructor(message: string, { status, reason, retryAfterMs }: ApiFailure, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.reason = reason;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}

export interface ConnectOptions {
  /** A file; otherwise KUBECONFIG, ~/.kube/config, or the service account of the pod that we run in. */
  readonly kubeconfig?: string;
  /** Otherwise the kubeconfig's current one. */
  readonly context?: string;
  /** Milliseconds without a byte after which a request has failed; 30 s unless told otherwise. */
  readonly requestTimeout?: number;
}

/** Finds out who we are and where the API server is. Asks it nothing yet; throws ApiError if the kubeconfig is no good. */
export async function connect(options: ConnectOptions = {}): Promise<ApiClient> {
  // Few commands need it.
  const [{ loadAccess }, { HttpClient }] = await Promise.all([
    import('./cluster-access.ts'),
    import('./http-client.ts'),
  ]);
  return new HttpClient(await loadAccess(options), options.requestTimeout);
}
