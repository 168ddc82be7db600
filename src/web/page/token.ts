import { signal } from '@preact/signals';

/** Kept for this tab only. */
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

/** From the hash, which browsers do not send to servers; removed from the address afterwards. */
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
    // Without storage, the token lasts as long as the page.
  }
}

function saved(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}
