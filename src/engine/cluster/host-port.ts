export interface HostPort {
  /** As written; '' means every address. */
  readonly ip: string;
  readonly port: number;
  readonly protocol: string;
}
