import type { Bitset } from '../cluster/bitset.ts';
import type { RequirementsId } from '../selection/requirement-space.ts';
import { TakenPorts } from './host-ports.ts';
import type { AttachedVolume } from './volumes.ts';

/** A node that a simulation would launch, narrowed by every pod placed on it. */
export interface Claim {
  readonly template: number;
  /** Its hostname domain, beyond those of existing nodes. */
  readonly host: number;
  requirements: RequirementsId;
  types: Bitset;
  /** Summed requests of its pods by column, without DaemonSets. */
  readonly requests: Float64Array;
  readonly pods: number[];
  readonly ports: TakenPorts;
  /** Volumes of its pods; only if some type limits them. */
  readonly volumes: AttachedVolume[];
  /** Reservations that it holds, by id. */
  reservations: ReadonlySet<string>;
  /** Amounts charged to the pool's limits. */
  charged: Readonly<Record<string, number>> | undefined;
}

export function newClaim(
  template: number,
  host: number,
  requirements: RequirementsId,
  types: Bitset,
  width: number,
): Claim {
  return {
    template,
    host,
    requirements,
    types,
    requests: new Float64Array(width),
    pods: [],
    ports: new TakenPorts(),
    volumes: [],
    reservations: NO_RESERVATIONS,
    charged: undefined,
  };
}

/** The state of a claim that joining pods change. */
export type ClaimState = Pick<Claim, 'requirements' | 'types' | 'requests' | 'reservations'> & {
  readonly pods: number;
  readonly ports: number;
  readonly volumes: number;
};

export function stateOf({ requirements, types, requests, reservations, pods, ports, volumes }: Claim): ClaimState {
  return {
    requirements,
    types: types.slice(),
    requests: requests.slice(),
    reservations,
    pods: pods.length,
    ports: ports.size,
    volumes: volumes.length,
  };
}

export function restore(claim: Claim, before: ClaimState): void {
  const { requirements, types, requests, reservations, pods, ports, volumes } = before;
  claim.requirements = requirements;
  claim.types.set(types);
  claim.requests.set(requests);
  claim.reservations = reservations;
  claim.pods.length = pods;
  claim.ports.keep(ports);
  claim.volumes.length = volumes;
}

export const NO_RESERVATIONS: ReadonlySet<string> = new Set();

/** A claim with one more pod. Valid until the next call: `types` is scratch. */
export interface Extension {
  readonly requirements: RequirementsId;
  readonly types: Bitset;
  readonly reservations: ReadonlySet<string>;
}
