/** RFC 3339, with a fraction only if needed. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** A Go duration that parses back to the same milliseconds. */
export function goDurationText(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
