/** A module beside this one, with the same extension: .ts in a clone, .js when built. */
export function besideThis(name: string, url: string): URL {
  return new URL(`./${name}${url.endsWith('.ts') ? '.ts' : '.js'}`, url);
}
