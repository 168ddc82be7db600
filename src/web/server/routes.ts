import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Ask, askAt } from '../analysis/ask.ts';
import { Refused } from '../analysis/refused.ts';
import type { Dashboard } from './dashboard.ts';
import type { Guard } from './guard.ts';
import { stream } from './live-stream.ts';
import type { PageFiles } from './page-files.ts';
import { type Content, jsonContent, send } from './reply.ts';

/** Longer than any deep link. */
const LONGEST_URL = 2048;
/** Views of the page: all get the same answer. */
const VIEWS = /^\/((nodes\/[^/]+|boundary|plan|cost|blockers|timeline|lab|settings)\/?)?$/;

export class Routes {
  private readonly dashboard: Dashboard;
  private readonly page: PageFiles;
  private readonly guard: Guard;
  /** Distinguishes cached answers of earlier processes. */
  private readonly start = randomBytes(6).toString('base64url');

  constructor(dashboard: Dashboard, page: PageFiles, guard: Guard) {
    this.dashboard = dashboard;
    this.page = page;
    this.guard = guard;
  }

  /** Throws Refused if there is no answer. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/' } = request;
    if (url.length > LONGEST_URL) throw new Refused(414, `the address is longer than ${LONGEST_URL} characters`);
    const { pathname, search } = parsed(url);
    this.guard.checkAddress(request);
    if (pathname.startsWith('/api/')) await this.guard.checkCaller(request);
    if (pathname === '/api/lab/runs') {
      allow(request, ['POST']);
      send(request, response, jsonContent(this.dashboard.lab.start(await readJson(request))), 202);
      return;
    }
    if (pathname === '/api/lab/cancel') {
      allow(request, ['POST']);
      // Only for its check of the content type: other origins cannot send JSON.
      await readJson(request);
      send(request, response, jsonContent(this.dashboard.lab.cancel()), 202);
      return;
    }
    allow(request, ['GET', 'HEAD']);
    if (pathname === '/api/events') {
      stream(request, response, this.dashboard, () => this.guard.checkCaller(request));
      return;
    }
    const content = await this.content(pathname, search, request, leftBy(response));
    // Browsers get the page, which explains; programs get one line.
    const isPerson = /\btext\/html\b/.test(request.headers.accept ?? '');
    if (content === undefined && !isPerson) throw new Refused(404, 'not found');
    send(request, response, content ?? this.page.html, content === undefined ? 404 : 200);
  }

  private async content(
    path: string,
    search: string,
    request: IncomingMessage,
    left: AbortSignal,
  ): Promise<Content | undefined> {
    const { dashboard, page } = this;
    if (VIEWS.test(path)) return page.html;
    switch (path) {
      case '/assets/page.js':
        return page.script;
      case '/assets/page.css':
        return page.style;
      case '/api/state':
        await dashboard.ready;
        return jsonContent(dashboard.state());
      case '/api/timeline':
        return jsonContent({ version: dashboard.version, ...dashboard.source.timeline() });
      case '/api/settings':
        return jsonContent(dashboard.settings());
      case '/api/lab':
        return jsonContent({
          version: dashboard.version,
          ...dashboard.lab.answer(new URLSearchParams(search).get('run') ?? undefined),
        });
      default: {
        const ask = askAt(path, search);
        return ask === undefined ? undefined : this.asked(ask, request, left);
      }
    }
  }

  /**
   * The same question about the same picture has the same answer: skips the work if the client has it. Not so with
   * blockers, whose first answers are progress.
   */
  private async asked(ask: Ask, request: IncomingMessage, left: AbortSignal): Promise<Content> {
    const version = ask.kind === 'blockers' ? 0 : this.dashboard.version;
    const tag = `${this.start}-${version}`;
    const known = version > 0 && request.headers['if-none-match'] === `W/"${tag}"`;
    const gzip = known ? new Uint8Array() : await this.dashboard.ask(ask, left);
    // An answer from a newer picture must not get the older tag.
    return { type: 'application/json', gzip, ...(version > 0 && version === this.dashboard.version ? { tag } : {}) };
  }
}

/** Aborts when the client disconnects before the answer. */
function leftBy(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  response.once('close', () => left.abort());
  return left.signal;
}

function allow({ method = '' }: IncomingMessage, methods: readonly string[]): void {
  if (methods.includes(method)) return;
  throw new Refused(405, `${method} is not allowed here`, { parameter: 'method', allowed: methods.join(', ') });
}

function parsed(url: string): URL {
  const address = url.startsWith('/') ? URL.parse(`http://dashboard${url}`) : null;
  if (address === null) throw new Refused(400, 'the address is not valid');
  return address;
}

const MOST_BYTES = 16_384;

/** Throws Refused. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  // Other origins cannot send this type without a CORS preflight.
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new Refused(415, 'the body must be JSON', { parameter: 'Content-Type', allowed: 'application/json' });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Refused(413, `the body is longer than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Refused(400, 'the body is not JSON');
  }
}
