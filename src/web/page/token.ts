import { signal } from '@preact/signals';

/** A server that is exposed asks for a token; it is kept for this tab only. */
const KEY = 'decant-token';

export const token = signal(saved());
/** The server refused the token, or asks for one. */
export const tokenWanted = signal(false);

export function authorization(): Readonly<Record<string, string>> {
  return token.value === '' ? {} : { Authorization: `Bearer ${token.value}` };
}

export function giveToken(value: string): void {
  token.value = value;
  tokenWanted.value = false;
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
