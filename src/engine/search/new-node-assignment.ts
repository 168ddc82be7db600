import type { Move, Placement } from '../moves/move.ts';
import type { Claim } from '../scheduling/claim.ts';
import type { Outcome, Simulation } from '../scheduling/simulation.ts';

/** New nodes of accepted moves, which pods of later moves may use. */
export class NewNodeAssignment {
  /** All of them, host by host. */
  readonly onto: readonly Claim[];
  private readonly claims: ReadonlyMap<number, readonly Claim[]>;
  private readonly places: readonly Omit<Placement, 'pod'>[];

  constructor(simulation: Simulation, hosts: readonly Move[]) {
    this.claims = new Map(hosts.map((host) => [keyOf(host), simulation.launchedFor(keyOf(host))]));
    this.onto = [...this.claims.values()].flat();
    this.places = [...this.claims].flatMap(([launchedFor, own]) => own.map((_, k) => ({ row: -1 - k, launchedFor })));
  }

  claimsOf(host: Move): readonly Claim[] {
    return this.claims.get(keyOf(host)) ?? [];
  }

  placements({ joined }: Outcome): readonly Placement[] {
    return joined.map(({ pod, claim }) => ({ pod, ...this.places[claim] }));
  }

  isJoined(host: Move, joined: readonly Placement[]): boolean {
    return joined.some(({ launchedFor }) => launchedFor === keyOf(host));
  }

  /** Which new node the move assigns its pods to, as indices into `onto`. */
  assignedBy({ placements }: Move): ReadonlyMap<number, number> {
    const assigned = new Map<number, number>();
    for (const { pod, row, launchedFor } of placements) {
      const index = this.places.findIndex((place) => place.row === row && place.launchedFor === launchedFor);
      if (index >= 0) assigned.set(pod, index);
    }
    return assigned;
  }
}

/** Moves change when others follow them; the first node that they remove does not. */
function keyOf({ candidates }: Move): number {
  return candidates[0].row;
}
