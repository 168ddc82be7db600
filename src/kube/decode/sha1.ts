/**
 * SHA-1 as hexadecimal text, for names only. Written here because it must be synchronous in browsers too, where the
 * built-in one is not.
 */
export function sha1(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array((((bytes.length + 8) >>> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const hash = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
  const words = new Int32Array(80);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(block + 4 * i);
    for (let i = 16; i < 80; i++) words[i] = left(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    let [a, b, c, d, e] = hash;
    for (let i = 0; i < 80; i++) {
      const next = (left(a, 5) + mixed(i, b, c, d) + e + words[i] + ROUND_KEYS[Math.floor(i / 20)]) | 0;
      e = d;
      d = c;
      c = left(b, 30);
      b = a;
      a = next;
    }
    [a, b, c, d, e].forEach((value, i) => {
      hash[i] += value;
    });
  }
  return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

const ROUND_KEYS = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];

function left(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function mixed(round: number, b: number, c: number, d: number): number {
  if (round < 20) return (b & c) | (~b & d);
  return round >= 40 && round < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
}
