import { useState } from 'preact/hooks';
import { giveToken, token } from './token.ts';

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
          ? 'This server requires a token: the one it printed at start or read from a file, or one of your cluster user, such as from kubectl create token.'
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
