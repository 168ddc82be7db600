import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { HostPort } from '../cluster/host-port.ts';
import type { PodObject } from '../cluster/objects.ts';
import { isTerminal } from '../cluster/pods.ts';
import { TakenPorts } from './host-ports.ts';

/** Host ports in use, by node; simulated pods add and remove theirs. */
export class NodePorts {
  private readonly byRow = new Map<number, TakenPorts>();

  constructor(pods: readonly PodObject[], rowOfPod: ArrayLike<number>) {
    for (let i = 0; i < pods.length; i++) {
      const { hostPorts } = pods[i].constraints;
      if (hostPorts.length > 0 && rowOfPod[i] >= 0 && !isTerminal(pods[i])) this.take(rowOfPod[i], hostPorts);
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
