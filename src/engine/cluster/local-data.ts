/** A volume with data on the node's disk. */
export interface LocalData {
  readonly kind: 'hostPath' | 'emptyDir';
  readonly name: string;
}
