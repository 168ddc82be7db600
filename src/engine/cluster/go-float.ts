/** A number as Go's strconv.ParseFloat reads it; undefined where Go reports an error. */
export function parseGoFloat(text: string): number | undefined {
  const digits = underscoresSeparateDigits(text) ? text.replaceAll('_', '') : undefined;
  if (digits === undefined) return undefined;
  if (/^[+-]?inf(inity)?$/i.test(digits)) return digits.startsWith('-') ? -Infinity : Infinity;
  const hex = /^([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)p([+-]?[0-9]+)$/i.exec(digits);
  if (hex !== null) {
    const [, sign, whole, fraction, exponent] = hex;
    if (whole.length + fraction.length === 0) return undefined;
    const magnitude = Number(`0x${whole}${fraction}`) * 2 ** (Number(exponent) - 4 * fraction.length);
    return sign === '-' ? -magnitude : magnitude;
  }
  if (!/^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i.test(digits)) return undefined;
  const value = Number(digits);
  // Out of range is an error in Go.
  return Number.isFinite(value) ? value : undefined;
}

function underscoresSeparateDigits(text: string): boolean {
  return !text.includes('_') || !/(^|[^0-9a-fx])_|_($|[^0-9a-f])/i.test(text);
}
