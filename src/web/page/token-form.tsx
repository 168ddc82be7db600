import { useState } from 'preact/hooks';
import { giveToken, token } from './token.ts';

/** Asked for where the server is not for everybody. */
export function TokenForm() {
  const [value, setValue] = useState('');
  return (
    <form
      class="empty"
      onSubmit={(event) => {
        event.preventDefault();
        giveToken(value.trim());
      }}
    >
      <h1>Token</h1>
      <p>
        {token.value === ''
          ? 'This server wants a token. It printed one when it started, or was given a file with it.'
          : 'The server does not accept this token.'}
      </p>
      <p class="controls">
        <label>
          Token{' '}
          <input
            type="password"
            autoComplete="off"
            value={value}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={value.trim() === ''}>
          Open
        </button>
      </p>
    </form>
  );
}
