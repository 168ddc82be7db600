export interface CsiNodeObject {
  readonly name: string;
  /** Volumes that may be attached, by driver; drivers without a count are absent. */
  readonly limits: Readonly<Record<string, number>>;
  /** Drivers without a count; `allocatable`: they have that member. */
  readonly uncounted?: readonly { readonly driver: string; readonly allocatable: boolean }[];
}
