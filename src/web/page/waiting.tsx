import type { ComponentChildren } from 'preact';
import type { Answer } from './answers.ts';

/** Shown while there is no answer, or instead of one. */
export function Waiting({ answer, what }: { answer: Answer<unknown>; what: string }): ComponentChildren {
  const { failure } = answer;
  if (failure === undefined || failure.status === 401) return <p class="empty quiet">Loading {what}…</p>;
  return (
    <div class="empty" role="alert">
      <h1>{failure.status === 0 ? 'No connection' : failure.status === 404 ? 'Not found' : 'Request failed'}</h1>
      <p>{failure.status === 0 ? 'The server does not respond; retrying.' : failure.message}</p>
    </div>
  );
}
