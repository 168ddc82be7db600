export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Such as /api/v1/pods. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Default: application/json; patches name their type. */
  readonly contentType?: string;
  readonly signal?: AbortSignal;
  /** Fails after this long without a byte; default: the client's. */
  readonly idleMs?: number;
  /** Called with the status code of the response. */
  readonly onStatus?: (status: number) => void;
}

export interface ApiClient {
  /** Parsed JSON of a 2xx answer; otherwise throws ApiError. */
  request<T = unknown>(request: ApiRequest): Promise<T>;
  /** The body in pieces as it arrives (large lists, watches). The request ends when the caller stops reading. */
  stream(request: ApiRequest): Promise<AsyncIterable<Uint8Array>>;
  /** The server's time, derived from its answers; without it, callers use their own clock. */
  nowMs?(): number;
}

export function serverTimeMs(client: ApiClient): number {
  return client.nowMs?.() ?? Date.now();
}

export interface ApiFailure {
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** The API server's reason (NotFound, Conflict, Expired …), or Unreachable, Timeout, BadAnswer, BadConfig. */
  readonly reason: string;
  /** The server's Retry-After. */
  readonly retryAfterMs?: number;
}

/** A failed request. The message is one line. */
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

export function isStatus(error: unknown, ...statuses: readonly number[]): boolean {
  return error instanceof ApiError && statuses.includes(error.status);
}

/** The answer; undefined if the request fails with one of these statuses. */
export async function absentOn<T>(statuses: readonly number[], answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isStatus(error, ...statuses)) return undefined;
    throw error;
  }
}

/** Missing, or not to be read with our permissions. */
export const UNREADABLE: readonly number[] = [403, 404];

export interface ConnectOptions {
  /** A file; default: KUBECONFIG, ~/.kube/config, or the pod's service account. */
  readonly kubeconfig?: string;
  /** Default: the kubeconfig's current context. */
  readonly context?: string;
  /** Milliseconds without a byte after which a request fails; default 30 s. */
  readonly requestTimeout?: number;
}

/** Loads credentials and the API server's address, without a request. Throws ApiError if the kubeconfig is invalid. */
export async function connect(options: ConnectOptions = {}): Promise<ApiClient> {
  // Loaded on demand: few commands need it.
  const [{ loadAccess }, { HttpClient }] = await Promise.all([
    import('./cluster-access.ts'),
    import('./http-client.ts'),
  ]);
  return new HttpClient(await loadAccess(options), options.requestTimeout);
}
