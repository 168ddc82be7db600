import { signal } from '@preact/signals';

/** A server that is exposed asks for a token; it is kept for this tab only. */
const KEY = 'decant-token';

export const token = signal(fromAddress() ?? saved());
/** The server refused the token, or asks for one. */
export const tokenWanted = signal(false);

export function authorization(): Readonly<Record<string, string>> {
  return token.value === '' ? {} : { Authorization: `Bearer ${token.value}` };
}

export function giveToken(value: string): void {
  token.value = value;
  tokenWanted.value = false;
  keep(value);
}

/** As the server prints it, after the hash: that part of an address is sent to nobody. It does not stay there to be seen. */
function fromAddress(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given === null || given === '') return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  keep(given);
  return given;
}

function keep(value: string): void {
  try {
    sessionStorage.setItem(KEY, value);
  } catch {
    // It lasts as long as the page.
  }
}

function saved(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}
