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
          ? 'This server wants a token: the one that it printed when it started or was given in a file, or yours of the cluster, such as kubectl create token makes.'
          : 'The server does not accept this token, or its user may not list the pods of all namespaces.'}
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
