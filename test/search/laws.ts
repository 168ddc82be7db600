/** By name, what must hold of something; throws if it does not. */
export type Laws<T> = Readonly<Record<string, (of: T) => void>>;

/** One plan is dear and many laws are asked of it, so they are asked together; the failure says which one it was. */
export function obey<T>(laws: Laws<T>, of: T): void {
  for (const [name, law] of Object.entries(laws)) {
    try {
      law(of);
    } catch (cause) {
      throw new Error(`${name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
    }
  }
}
