/** How often a property is tried; `PROPERTY_SCALE=50 npm test` looks fifty times as hard. */
export function runs(usual: number): { numRuns: number } {
  return { numRuns: Math.ceil(usual * Number(process.env.PROPERTY_SCALE ?? 1)) };
}
