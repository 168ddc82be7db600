/** Callbacks of a stream of server-sent events. */
export interface StreamListener {
  /** Anything arrived, including heartbeat comments. */
  readonly alive: () => void;
  readonly heard: (event: ServerEvent) => void;
  readonly failed: () => void;
}

export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

export interface LiveHooks {
  /** Returns a function that closes it. */
  readonly open: (listener: StreamListener) => () => void;
  /** Returns a function that cancels it. */
  readonly after: (ms: number, then: () => void) => () => void;
  readonly heard: (event: ServerEvent) => void;
  readonly changed: (status: LiveStatus) => void;
}

export type LiveStatus = 'connecting' | 'live' | 'lost';

/** The server sends a heartbeat every few seconds; after this long the connection counts as lost. */
export const SILENCE_MS = 40_000;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 15_000;

/** A stream that reconnects: after an error, a refusal during a restart of the server, or silence. */
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

  /** When the page becomes visible or the network returns. */
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
