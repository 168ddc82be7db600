/** A value that is given and cannot be used. Every caller (CLI, controller, status of a policy) says it in its own way. */
export interface Problem {
  /** Kind and name such as NodePool/default, or where a switch was given. */
  readonly object: string;
  /** Path within the object, or the name of the switch. */
  readonly field: string;
  /** As given; undefined if a required field is missing. */
  readonly value: unknown;
  readonly allowed: string;
}
