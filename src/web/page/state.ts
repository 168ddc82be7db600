import { effect, signal } from '@preact/signals';
import type { LabRun, LiveEvents, StateAnswer } from '../api.ts';
import { ask, refreshAll, version } from './answers.ts';
import { EventParser, openEventStream } from './event-stream.ts';
import { LiveConnection, type LiveStatus, type ServerEvent } from './live.ts';
import { authorization, token } from './token.ts';

export const state = signal<StateAnswer | undefined>(undefined);
export const connection = signal<LiveStatus>('connecting');
/** The running simulations, if any. */
export const labRun = signal<LabRun | undefined>(undefined);

export function followServer(): void {
  const parser = new EventParser();
  const live = new LiveConnection({
    open: (listener) => openEventStream('/api/events', authorization(), parser, listener),
    after: (ms, then) => {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
    heard,
    changed: (status) => {
      const back = status === 'live' && connection.peek() === 'lost';
      connection.value = status;
      if (back) refreshAll();
    },
  });
  live.start();
  // The frame need not wait for the stream.
  void ask<StateAnswer>('/api/state').then(({ data }) => {
    if (data !== undefined && state.peek() === undefined) take(data);
  });
  addEventListener('online', () => live.retryNow());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') live.retryNow();
  });
  effect(() => {
    if (token.value === '') return;
    live.retryNow();
    refreshAll();
  });
}

/** For a report: a fixed state without updates. */
export function standStill(now: StateAnswer | undefined): void {
  connection.value = 'live';
  state.value = now;
  version.value = now?.version ?? 0;
}

function heard({ name, data }: ServerEvent): void {
  switch (name as keyof LiveEvents) {
    case 'state':
      take(JSON.parse(data) as LiveEvents['state']);
      break;
    case 'tick': {
      const { nowMs, totals } = JSON.parse(data) as LiveEvents['tick'];
      if (state.value !== undefined) state.value = { ...state.value, nowMs, totals };
      break;
    }
    case 'lab':
      takeLabRun((JSON.parse(data) as LiveEvents['lab']).running);
      break;
  }
}

/** A finished run is not a new version of the cluster. */
function takeLabRun(running: LabRun | undefined): void {
  const isOver = labRun.peek() !== undefined && running === undefined;
  labRun.value = running;
  if (isOver) refreshAll();
}

function take(answer: StateAnswer): void {
  state.value = answer;
  version.value = answer.version;
}
