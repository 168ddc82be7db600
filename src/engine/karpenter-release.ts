/** Releases of Karpenter whose decisions `compat` reproduces. */
export type KarpenterVersion = '1.14.1' | '1.14.3' | '1.15.0';

/** Differences between releases. Without `compat` the newest applies. */
export interface KarpenterRelease {
  /**
   * `karpenter.sh/disruption-cost` takes precedence over `pod-deletion-cost`, and both are int32; before, floats
   * counted.
   */
  readonly disruptionCost: boolean;
  /** minValues counts only values that the requirement still allows. */
  readonly narrowedMinValues: boolean;
  /** Reservations without a free slot have no price, and a pool with nothing else launches nothing. */
  readonly fullReservations: boolean;
  /** Instance types limit volumes, CSINode drivers without a count do not, and a missing volume fails its pod. */
  readonly volumeLimits: boolean;
  /** Rebooting nodes are not candidates and count against budgets. */
  readonly reboots: boolean;
  /** Pods without spread constraints get those of `--scheduler-config`. */
  readonly defaultSpread: boolean;
  /** Claims for devices may have alternatives (`firstAvailable`). */
  readonly firstAvailable: boolean;
}

const RELEASES: Readonly<Record<KarpenterVersion, KarpenterRelease>> = {
  '1.14.1': {
    disruptionCost: false,
    narrowedMinValues: false,
    fullReservations: false,
    volumeLimits: false,
    reboots: false,
    defaultSpread: false,
    firstAvailable: false,
  },
  '1.14.3': {
    disruptionCost: false,
    narrowedMinValues: true,
    fullReservations: false,
    volumeLimits: false,
    reboots: false,
    defaultSpread: false,
    firstAvailable: false,
  },
  '1.15.0': {
    disruptionCost: true,
    narrowedMinValues: true,
    fullReservations: true,
    volumeLimits: true,
    reboots: true,
    defaultSpread: true,
    firstAvailable: true,
  },
};

export const NEWEST_KARPENTER: KarpenterVersion = '1.15.0';

export function releaseOf({
  karpenter = NEWEST_KARPENTER,
}: {
  readonly karpenter?: KarpenterVersion;
}): KarpenterRelease {
  return RELEASES[karpenter];
}
