import { hasBit } from '../cluster/bitset.ts';
import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { freeForMoves } from '../scheduling/destinations.ts';
import type { PodShape } from '../scheduling/pod-shapes.ts';
import type { ClusterDifference } from './cluster-difference.ts';

/**
 * Rows that gained capacity, or are new, and the room on them. A row that had room for a pod before and did not take it refuses
 * the pod for another reason, which is the same now; only a row that has room now and had none takes a pod that it did not take.
 */
export class GainedRoom {
  private readonly cluster: CompiledCluster;
  private readonly rows: readonly number[];
  private readonly now: Room;
  private readonly before: Room;
  /** By request: rows with room now that had none, by their place in the list. */
  private readonly grown = new Map<number, readonly number[]>();

  /** `mayUseReserve`: of the pods that are asked about. */
  constructor(
    before: CompiledCluster,
    now: CompiledCluster,
    { gained, rowNow }: ClusterDifference,
    mayUseReserve: boolean,
  ) {
    const rowBefore = new Int32Array(now.rows.length).fill(-1);
    for (let row = 0; row < rowNow.length; row++) if (rowNow[row] >= 0) rowBefore[rowNow[row]] = row;
    this.cluster = now;
    this.rows = gained;
    this.now = roomOn(now, gained, mayUseReserve);
    const earlier = gained.map((row) => rowBefore[row]);
    this.before = roomOn(before, earlier, mayUseReserve);
  }

  /** The first row that could take the pod now, and could not before; undefined if there is none. */
  firstFor(pod: number): number | undefined {
    const { shapeOfPod, requestOfPod, facts } = this.cluster;
    const shape = shapeOfPod[pod];
    if (shape === undefined) return undefined;
    // Ports and volumes of pods that are gone may have been in its way.
    const asksForMore = shape.hostPorts.length > 0 || facts[pod].hasVolumes;
    const key = 2 * requestOfPod[pod] + Number(asksForMore);
    const grown = getOrInsert(this.grown, key, () => this.withRoom(this.amountsOf(pod), asksForMore));
    const first = grown.find((i) => this.admits(i, shape));
    return first === undefined ? undefined : this.rows[first];
  }

  /** Whether one of these rows, which gained capacity, could take the pod now. */
  couldTake(row: number, pod: number): boolean {
    const shape = this.cluster.shapeOfPod[pod];
    const i = this.rows.indexOf(row);
    return shape !== undefined && hasRoom(this.now, i, this.amountsOf(pod)) && this.admits(i, shape);
  }

  /** `everywhere`: also where there was room before. */
  private withRoom(amounts: Float64Array, everywhere: boolean): readonly number[] {
    const out: number[] = [];
    for (let i = 0; i < this.rows.length; i++)
      if (hasRoom(this.now, i, amounts) && (everywhere || !hasRoom(this.before, i, amounts))) out.push(i);
    return out;
  }

  private admits(i: number, { stages }: PodShape): boolean {
    const { nodeSets } = this.cluster;
    return stages.some(({ nodeClass }) => hasBit(nodeSets.nodesFor(nodeClass), this.rows[i]));
  }

  private amountsOf(pod: number): Float64Array {
    const { requests, requestOfPod } = this.cluster;
    return requests.amounts(requestOfPod[pod]);
  }
}

/** What pods may use of some rows, by column of the request table; nothing of a row that takes none. */
interface Room {
  readonly width: number;
  readonly amounts: Float64Array;
}

function roomOn(cluster: CompiledCluster, rows: readonly number[], mayUseReserve: boolean): Room {
  const { free, destinations, unshielded } = cluster;
  const open = mayUseReserve ? destinations : unshielded;
  const width = free.length;
  const amounts = new Float64Array(rows.length * width).fill(-Infinity);
  for (const [i, row] of rows.entries()) {
    if (row < 0 || !hasBit(open, row)) continue;
    for (let d = 0; d < width; d++)
      amounts[i * width + d] = mayUseReserve ? free[d][row] : Math.min(free[d][row], freeForMoves(cluster, d, row));
  }
  return { width, amounts };
}

function hasRoom({ width, amounts }: Room, i: number, wanted: Float64Array): boolean {
  for (let d = 0; d < wanted.length; d++) if (wanted[d] > amounts[i * width + d]) return false;
  return true;
}
