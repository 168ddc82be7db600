/** What a stream of server-sent events tells, until it is closed. */
export interface StreamListener {
  /** Anything at all came, be it a comment that says that the server is still there. */
  readonly alive: () => void;
  readonly heard: (event: ServerEvent) => void;
  readonly failed: () => void;
}

export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

export interface LiveHooks {
  /** Returns what closes it. */
  readonly open: (listener: StreamListener) => () => void;
  /** Returns what takes it back. */
  readonly after: (ms: number, then: () => void) => () => void;
  readonly heard: (event: ServerEvent) => void;
  readonly changed: (status: LiveStatus) => void;
}

export type LiveStatus = 'connecting' | 'live' | 'lost';

/** The server says something every few seconds; after this long it is gone, whatever the network says. */
export const SILENCE_MS = 40_000;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 15_000;

/** A stream that comes back: when it breaks, when it is refused while the server restarts, and when it dies silently. */
export class LiveConnection {
  readonly #hooks: LiveHooks;
  #close: (() => void) | undefined;
  #cancel: (() => void) | undefined;
  #failures = 0;

  constructor(hooks: LiveHooks) {
    this.#hooks = hooks;
  }

  start(): void {
    this.#hooks.changed('connecting');
    this.#connect();
  }

  /** At once instead of when its time comes: the reader looks again, or the network is back. */
  retryNow(): void {
    if (this.#failures > 0) this.#connect();
  }

  #connect(): void {
    this.#stop();
    let current = true;
    const ifCurrent = (then: () => void) => {
      if (current) then();
    };
    const close = this.#hooks.open({
      alive: () => ifCurrent(() => this.#alive()),
      heard: (event) => ifCurrent(() => this.#hooks.heard(event)),
      failed: () => ifCurrent(() => this.#lost()),
    });
    this.#close = () => {
      current = false;
      close();
    };
    this.#expectNews();
  }

  #alive(): void {
    this.#failures = 0;
    this.#hooks.changed('live');
    this.#expectNews();
  }

  #expectNews(): void {
    this.#cancel?.();
    this.#cancel = this.#hooks.after(SILENCE_MS, () => this.#lost());
  }

  #lost(): void {
    this.#stop();
    this.#hooks.changed('lost');
    const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures);
    this.#failures++;
    this.#cancel = this.#hooks.after(wait, () => this.#connect());
  }

  #stop(): void {
    this.#cancel?.();
    this.#close?.();
    this.#close = undefined;
  }
}
