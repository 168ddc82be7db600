import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import { type ApiClient, ApiError, type ApiRequest } from './api-client.ts';
import { failureOf, MOST_ERROR_BYTES } from './api-failure.ts';
import type { ClusterAccess } from './cluster-access.ts';
import { packageVersion } from './package-version.ts';
import { ServerClock } from './server-clock.ts';

const USUAL_IDLE_MS = 30_000;
/** Limit for answers that are parsed whole. Lists are streamed; single objects are far smaller. */
const MOST_BYTES = 64 << 20;

/** Requests over node:http with the credentials of `ClusterAccess`. */
export class HttpClient implements ApiClient {
  private readonly access: ClusterAccess;
  private readonly agent: HttpAgent;
  private readonly clock = new ServerClock();
  private readonly userAgent = `decant/${packageVersion()}`;
  private readonly idleMs: number;

  constructor(access: ClusterAccess, idleMs = USUAL_IDLE_MS) {
    this.access = access;
    this.idleMs = idleMs;
    const { protocol, hostname } = access.server;
    const { proxyUrl } = access;
    const proxyEnv = proxyUrl === undefined ? process.env : { HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl };
    const isDirect = proxyUrl === undefined && isLoopback(hostname);
    const settings = { keepAlive: true, ...(isDirect ? {} : { proxyEnv }) };
    this.agent = protocol === 'https:' ? new HttpsAgent(settings) : new HttpAgent(settings);
  }

  async request<T>(request: ApiRequest): Promise<T> {
    const body = await wholeBody(await this.send(request), MOST_BYTES, (error) => this.failed(request, error));
    try {
      return JSON.parse(body) as T;
    } catch (error) {
      const answer = { status: 200, reason: 'BadAnswer' };
      throw new ApiError(`${called(request)}: the response is not JSON: ${shortened(body)}`, answer, error);
    }
  }

  async stream(request: ApiRequest): Promise<AsyncIterable<Uint8Array>> {
    return this.pieces(request, await this.send(request));
  }

  nowMs(): number {
    return this.clock.nowMs();
  }

  private async *pieces(request: ApiRequest, response: IncomingMessage): AsyncGenerator<Uint8Array> {
    try {
      yield* response as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw this.failed(request, error);
    } finally {
      response.destroy();
    }
  }

  private async send(request: ApiRequest): Promise<IncomingMessage> {
    const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body));
    const options = this.optionsFor(request, body, await this.access.credentials());
    const response = await this.exchange(request, options, body);
    const { statusCode: status = 0 } = response;
    request.onStatus?.(status);
    if (status >= 200 && status < 300 && !isPage(response)) return response;
    const text = await wholeBody(response, MOST_ERROR_BYTES, () => undefined);
    if (status < 300) throw this.webPage(request, text);
    const { message, ...failure } = failureOf(status, response.headers, text);
    throw new ApiError(`${called(request)}: ${status} ${failure.reason}: ${message}`, failure);
  }

  /** A kept connection may be closed by the time it is used; requests without effects are then repeated once. */
  private async exchange(
    request: ApiRequest,
    options: RequestOptions,
    body: Buffer | undefined,
  ): Promise<IncomingMessage> {
    const send = this.access.server.protocol === 'https:' ? httpsRequest : httpRequest;
    for (let attempt = 0; ; attempt++) {
      const askedMs = Date.now();
      const sent = send(options);
      try {
        const answer = await answerTo(sent, body, request.idleMs ?? this.idleMs);
        this.clock.heard(answer.headers.date, askedMs);
        return answer;
      } catch (error) {
        const wasStale = sent.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
        if (!wasStale || request.method !== 'GET' || attempt > 0) throw this.failed(request, error);
      }
    }
  }

  private optionsFor(request: ApiRequest, body: Buffer | undefined, credentials: RequestOptions): RequestOptions {
    const { server } = this.access;
    const query = new URLSearchParams(request.query).toString();
    return {
      agent: this.agent,
      ...credentials,
      protocol: server.protocol,
      hostname: server.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: server.port,
      method: request.method,
      path: `${server.pathname.replace(/\/$/, '')}${request.path}${query === '' ? '' : `?${query}`}`,
      headers: {
        ...trimmed(credentials.headers),
        Accept: 'application/json',
        'User-Agent': this.userAgent,
        ...(body === undefined
          ? {}
          : { 'Content-Type': request.contentType ?? 'application/json', 'Content-Length': body.length }),
      },
      signal: request.signal,
    };
  }

  /** A login page in front of the API server. */
  private webPage(request: ApiRequest, text: string): ApiError {
    const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1].trim() || text;
    const what = `the response is a web page, not one of an API server: ${shortened(title)}`;
    return new ApiError(`${this.access.server.origin}: ${called(request)}: ${what}`, {
      status: 200,
      reason: 'BadAnswer',
    });
  }

  /** Converts a transport error; the caller's own abort is passed through. */
  private failed(request: ApiRequest, error: unknown): unknown {
    if (request.signal?.aborted) return request.signal.reason;
    if (error instanceof ApiError) return error;
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ETIMEDOUT' ? 'Timeout' : 'Unreachable';
    const why = (code !== undefined && WORDS[code]) || message;
    return new ApiError(`${this.access.server.origin}: ${called(request)}: ${why}`, { status: 0, reason }, error);
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'no such host',
  EHOSTUNREACH: 'no route to host',
  EPIPE: 'the connection was closed',
};

function answerTo(sent: ClientRequest, body: Buffer | undefined, idleMs: number): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const late = () => Object.assign(new Error(`no response for ${idleMs / 1000} s`), { code: 'ETIMEDOUT' });
  // A socket's own timer restarts on connect and after writing.
  const patience = setTimeout(() => sent.destroy(late()), idleMs);
  sent.on('close', () => clearTimeout(patience));
  sent.on('socket', (socket) => socket.setKeepAlive(true, 30_000));
  sent.on('response', (incoming) => {
    clearTimeout(patience);
    // Destroying the request would be reported as a reset connection.
    sent.setTimeout(idleMs, () => incoming.destroy(late()));
    resolve(incoming);
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

async function wholeBody(
  response: IncomingMessage,
  most: number,
  failed: (error: unknown) => unknown,
): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > most) break;
    }
  } catch (error) {
    const told = failed(error);
    if (told !== undefined) throw told;
  }
  return Buffer.concat(pieces).toString('utf8');
}

function isPage({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/html') ?? false;
}

function called({ method, path }: ApiRequest): string {
  return `${method} ${path}`;
}

function shortened(text: string): string {
  return JSON.stringify(text.length <= 80 ? text : `${text.slice(0, 80)}…`);
}

/** Token files often end with a line break, which headers may not contain. */
function trimmed(headers: RequestOptions['headers']): Record<string, string | string[]> {
  const text = (value: unknown) => String(value).trim();
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name, Array.isArray(value) ? value.map(text) : text(value)]),
  );
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}
