import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ErrorAnswer } from '../api.ts';
import { authorization, token, tokenWanted } from './token.ts';

/** An answer of the server, or a pending one. */
export interface Answer<T> {
  /** From an earlier version while a newer one is loading or the server is unreachable. */
  readonly data?: T;
  readonly failure?: Failure;
}

export interface Failure {
  /** 0 if the server did not answer. */
  readonly status: number;
  readonly message: string;
}

interface Entry {
  readonly answer: Signal<Answer<unknown>>;
  users: number;
  /** undefined: not asked yet. */
  version: number | undefined;
  asking: AbortController | undefined;
}

/**
 * Least pause between requests of the same kind, longer if answers take long: a fast simulation changes all the time.
 */
const REST_MS = 250;
const RESTS_PER_ANSWER = 3;
/** Answers kept although no component shows them. */
const MOST_KEPT = 30;

const entries = new Map<string, Entry>();
/** Version of the cluster's picture, from the event stream. */
export const version = signal(-1);

/** The answer at a path, fetched again whenever the cluster changes, for as long as the component is mounted. */
export function useAnswer<T>(path: string): ReadonlySignal<Answer<T>> {
  const entry = useMemo(() => entryOf(path), [path]);
  useEffect(() => {
    entry.users++;
    void refresh(path, entry);
    return () => {
      entry.users--;
      // The server need not compute what no component waits for.
      if (entry.users === 0) entry.asking?.abort();
    };
  }, [path, entry]);
  return entry.answer as ReadonlySignal<Answer<T>>;
}

version.subscribe(() => {
  for (const [path, entry] of entries) if (entry.users > 0) void refresh(path, entry);
});

/** After a lost connection, everything shown may be outdated. */
export function refreshAll(): void {
  for (const [path, entry] of entries) {
    entry.version = undefined;
    if (entry.users > 0) void refresh(path, entry);
  }
}

function entryOf(path: string): Entry {
  const known = entries.get(path);
  if (known !== undefined) return known;
  for (const [old, { users }] of entries) if (entries.size >= MOST_KEPT && users === 0) entries.delete(old);
  const entry: Entry = { answer: signal({}), users: 0, version: undefined, asking: undefined };
  entries.set(path, entry);
  return entry;
}

async function refresh(path: string, entry: Entry): Promise<void> {
  if (entry.asking !== undefined || entry.version === version.value) return;
  const abort = new AbortController();
  entry.asking = abort;
  const asked = version.value;
  const startedMs = performance.now();
  const answer = await ask<unknown>(path, { signal: abort.signal });
  const { failure } = answer;
  if (abort.signal.aborted) {
    entry.asking = undefined;
    if (entry.users > 0) void refresh(path, entry);
    return;
  }
  // Keep showing the last data: the frame says that the connection is lost.
  entry.answer.value = failure?.status === 0 ? { ...entry.answer.value, failure } : answer;
  entry.version = failure?.status === 0 ? undefined : asked;
  const restMs = Math.max(REST_MS, RESTS_PER_ANSWER * (performance.now() - startedMs));
  await new Promise((resolve) => setTimeout(resolve, restMs));
  entry.asking = undefined;
  if (entry.users > 0 && failure?.status !== 0) void refresh(path, entry);
}

type Ask = (path: string, init: RequestInit) => Promise<Answer<unknown>>;

let answerer: Ask = fromServer;

/** Replaces the server: a report answers from its own content. */
export function answerFrom(other: Ask): void {
  answerer = other;
}

export async function ask<T>(path: string, init: RequestInit = {}): Promise<Answer<T>> {
  return (await answerer(path, init)) as Answer<T>;
}

async function fromServer(path: string, init: RequestInit): Promise<Answer<unknown>> {
  try {
    const response = await fetch(path, { ...init, headers: { ...authorization(), ...init.headers } });
    // A user without permission may have another token.
    if (response.status === 401 || (response.status === 403 && token.value !== '')) tokenWanted.value = true;
    if (response.ok) return { data: await response.json() };
    return { failure: { status: response.status, message: await messageOf(response) } };
  } catch (error) {
    if (init.signal?.aborted === true) return {};
    return { failure: { status: 0, message: error instanceof Error ? error.message : String(error) } };
  }
}

async function messageOf(response: Response): Promise<string> {
  try {
    const { error, allowed } = (await response.json()) as ErrorAnswer;
    return allowed === undefined ? error : `${error} (allowed: ${allowed})`;
  } catch {
    return `the server returned ${response.status}`;
  }
}
