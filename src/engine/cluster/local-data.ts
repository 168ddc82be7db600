/** A volume with data on the node's disk. */
export interface LocalData {
  readonly kind: 'hostPath' | 'emptyDir';
  /** Name of the volume. */
  readonly name: string;
}
