/** UTC, as in logs and simulations. */
export function momentInWords(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
