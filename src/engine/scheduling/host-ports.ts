import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { HostPort } from '../cluster/host-port.ts';

/** Ports clash with the same slot, and the same address or a wildcard. */
interface PortInSlot {
  /** Of port and protocol. */
  readonly slot: string;
  readonly address: string;
}

const EVERY_ADDRESS = '';

/** Host ports in use on a node. A check costs as much as the ports that are wanted, however many are in use. */
export class TakenPorts {
  private readonly list: PortInSlot[] = [];
  /** By slot: how often each address is in use. */
  private readonly slots = new Map<string, Map<string, number>>();

  get size(): number {
    return this.list.length;
  }

  take(ports: readonly HostPort[]): void {
    for (const port of inSlots(ports)) {
      this.list.push(port);
      const addresses = getOrInsert(this.slots, port.slot, () => new Map());
      addresses.set(port.address, 1 + (addresses.get(port.address) ?? 0));
    }
  }

  /** Releases the last ports until this many are left. */
  keep(size: number): void {
    while (this.list.length > size) {
      const { slot, address } = this.list.pop() as PortInSlot;
      const addresses = this.slots.get(slot) as Map<string, number>;
      const left = (addresses.get(address) ?? 0) - 1;
      if (left > 0) addresses.set(address, left);
      else addresses.delete(address);
    }
  }

  clash(wanted: readonly HostPort[]): boolean {
    if (this.list.length === 0) return false;
    return inSlots(wanted).some(({ slot, address }) => {
      const addresses = this.slots.get(slot);
      if (addresses === undefined || addresses.size === 0) return false;
      return address === EVERY_ADDRESS || addresses.has(address) || addresses.has(EVERY_ADDRESS);
    });
  }
}

const known = new WeakMap<readonly HostPort[], readonly PortInSlot[]>();

function inSlots(ports: readonly HostPort[]): readonly PortInSlot[] {
  return getOrInsert(known, ports, () =>
    ports.map(({ ip, port, protocol }) => ({ slot: `${port} ${protocol}`, address: address(ip) })),
  );
}

function address(ip: string): string {
  const lower = ip.toLowerCase();
  const plain = lower.startsWith('::ffff:') && lower.includes('.') ? lower.slice(7) : lower;
  return plain === '0.0.0.0' || /^[0:]*$/.test(plain) ? EVERY_ADDRESS : plain;
}
