/** A module for a thread, beside this one and with the extension that it has: .ts from a clone, .js when built. */
export function besideThis(name: string, url: string): URL {
  return new URL(`./${name}${url.endsWith('.ts') ? '.ts' : '.js'}`, url);
}
