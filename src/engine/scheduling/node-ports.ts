import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { HostPort } from '../cluster/host-port.ts';
import type { PodObject } from '../cluster/objects.ts';
import { isTerminal } from '../cluster/pods.ts';
import { TakenPorts } from './host-ports.ts';

/** Host ports in use, by node; simulated pods add and remove theirs. Unchanged rows are shared with the last cluster. */
export class NodePorts {
  private readonly byRow = new Map<number, TakenPorts>();

  constructor(
    pods: readonly PodObject[],
    podsOfRow: readonly (readonly number[])[],
    unchanged: Int32Array,
    last: NodePorts | undefined,
  ) {
    for (let row = 0; row < podsOfRow.length; row++) {
      const taken = last === undefined || unchanged[row] < 0 ? undefined : last.byRow.get(unchanged[row]);
      if (taken !== undefined) this.byRow.set(row, taken);
      if (last !== undefined && unchanged[row] >= 0) continue;
      for (const i of podsOfRow[row]) if (!isTerminal(pods[i])) this.take(row, pods[i].constraints.hostPorts);
    }
  }

  clash(row: number, wanted: readonly HostPort[]): boolean {
    return this.byRow.get(row)?.clash(wanted) === true;
  }

  take(row: number, ports: readonly HostPort[]): void {
    if (ports.length === 0) return;
    getOrInsert(this.byRow, row, () => new TakenPorts()).take(ports);
  }

  /** Releases the last ports. */
  release(row: number, ports: readonly HostPort[]): void {
    const taken = this.byRow.get(row);
    taken?.keep(taken.size - ports.length);
  }
}
