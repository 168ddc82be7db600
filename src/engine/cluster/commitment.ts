/** A savings plan or reservation: paid whether used or not, and worth nothing beyond its size. */
export interface Commitment {
  readonly name: string;
  /** Paid in any case. */
  readonly dollarsPerHour: number;
  /** Spend at list prices that it pays for. */
  readonly coversDollarsPerHour: number;
}

/** The commitments that pay for a node. Lists are shared: nodes with the same list can take each other's place. */
export type CoveredBy = readonly Commitment[];

export const NOT_COVERED: CoveredBy = [];

interface Covered {
  readonly offerings: readonly { readonly coveredBy?: CoveredBy }[];
}

/** All commitments of a catalog, in order of their names. */
export function commitmentsOf(types: readonly Covered[]): readonly Commitment[] {
  const lists = new Set<CoveredBy>();
  for (const { offerings } of types)
    for (const { coveredBy } of offerings) if (coveredBy !== undefined) lists.add(coveredBy);
  const found = new Set([...lists].flat());
  return [...found].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Makes equal lists, and commitments of the same name, one object: for types that were read from a file. */
export function withSharedCommitments<T extends Covered>(types: readonly T[]): readonly T[] {
  const commitments = new Map<string, Commitment>();
  const lists = new Map<string, CoveredBy>();
  const share = (list: CoveredBy): CoveredBy => {
    const key = JSON.stringify(list.map(({ name }) => name));
    const known = lists.get(key) ?? list.map((c) => commitments.get(c.name) ?? c);
    for (const c of known) commitments.set(c.name, c);
    lists.set(key, known);
    return known;
  };
  return types.map((type) => {
    if (!type.offerings.some((o) => o.coveredBy !== undefined)) return type;
    return {
      ...type,
      offerings: type.offerings.map((o) => (o.coveredBy ? { ...o, coveredBy: share(o.coveredBy) } : o)),
    };
  });
}
