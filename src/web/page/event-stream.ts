import type { ServerEvent, StreamListener } from './live.ts';

/** Parses a stream into events; skips comments and unknown fields, as the standard says. */
export class EventParser {
  #rest = '';
  #name = '';
  #data: string[] = [];
  lastId = '';

  take(text: string): ServerEvent[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#line(line));
  }

  #line(line: string): ServerEvent[] {
    if (line === '') return this.#dispatch();
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') this.#name = value;
    if (field === 'data') this.#data.push(value);
    if (field === 'id') this.lastId = value;
    return [];
  }

  #dispatch(): ServerEvent[] {
    const event = { name: this.#name || 'message', data: this.#data.join('\n') };
    const isEmpty = this.#data.length === 0;
    [this.#name, this.#data] = ['', []];
    return isEmpty ? [] : [event];
  }
}

/**
 * Server-sent events through fetch. EventSource cannot send a token, and hides the comments that serve as heartbeat.
 */
export function openEventStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  parser: EventParser,
  listener: StreamListener,
): () => void {
  const abort = new AbortController();
  const resume: Record<string, string> = parser.lastId === '' ? {} : { 'Last-Event-ID': parser.lastId };
  read().then(listener.failed, listener.failed);
  return () => abort.abort();

  async function read(): Promise<void> {
    const answer = await fetch(url, {
      headers: { Accept: 'text/event-stream', ...headers, ...resume },
      cache: 'no-store',
      signal: abort.signal,
    });
    if (!answer.ok || answer.body === null) return;
    listener.alive();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      listener.alive();
      for (const event of parser.take(value)) listener.heard(event);
    }
  }
}
