type Member<U, K extends string, C> = U extends Readonly<Record<K, infer D>> ? (C extends D ? U : never) : never;

/** A text for every member of a union, by the field K that tells members apart. */
export type TextBy<U extends Readonly<Record<K, string>>, K extends string> = {
  readonly [C in U[K]]: string | ((each: Member<U, K, C>) => string);
};

export function textFor<U extends Readonly<Record<K, string>>, K extends string>(
  texts: TextBy<U, K>,
  by: K,
  each: U,
): string {
  const text = texts[each[by]] as string | ((each: U) => string);
  return typeof text === 'string' ? text : text(each);
}
