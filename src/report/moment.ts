/** Universal time: whoever reads it beside logs, and whoever is simulated, has no zone. */
export function momentInWords(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
