/**
 * Amounts of a resource, in order of preference: the pod takes the first that its node has. Its requests name the
 * smallest.
 */
export interface FirstAvailable {
  readonly resource: string;
  readonly amounts: readonly number[];
}
