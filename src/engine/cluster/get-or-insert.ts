interface Table<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value of the key; made and kept if there is none. (Map.prototype.getOrInsertComputed, which Node does not have yet.) */
export function getOrInsert<K, V>(table: Table<K, V>, key: K, make: () => NoInfer<V>): V {
  const known = table.get(key);
  if (known !== undefined) return known;
  const made = make();
  table.set(key, made);
  return made;
}
