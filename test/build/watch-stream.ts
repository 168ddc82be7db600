import type { ServerResponse } from 'node:http';

/** A watch as an API server answers one: an event to a line. */
export class WatchStream {
  private readonly response: ServerResponse;

  constructor(response: ServerResponse) {
    this.response = response.writeHead(200, { 'Content-Type': 'application/json' });
    // The head goes out before there is an event.
    response.flushHeaders();
  }

  send(type: string, object: object): this {
    return this.line(JSON.stringify({ type, object }));
  }

  line(text: string): this {
    this.response.write(`${text}\n`);
    return this;
  }

  end(): void {
    this.response.end();
  }

  cut(): void {
    this.response.destroy();
  }
}
