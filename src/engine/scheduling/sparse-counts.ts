const EMPTY = -1;
const FIRST_SIZE = 1024;
/** The empty table: most clusters have no group by host. */
const NO_GROUPS = Int32Array.of(EMPTY);
const NO_NUMBERS = new Int32Array(1);

/**
 * Counts by (group, host): most of the groups × hosts pairs are zero, so they are in an open-addressing table of
 * integers.
 */
export class SparseCounts {
  private groups = NO_GROUPS;
  private hosts = NO_NUMBERS;
  private counts = NO_NUMBERS;
  private used = 0;

  get(group: number, host: number): number {
    const { groups, hosts } = this;
    const mask = groups.length - 1;
    for (let i = slot(group, host) & mask; groups[i] !== EMPTY; i = (i + 1) & mask) {
      if (groups[i] === group && hosts[i] === host) return this.counts[i];
    }
    return 0;
  }

  copy(): SparseCounts {
    const copy = new SparseCounts();
    copy.groups = this.groups === NO_GROUPS ? NO_GROUPS : this.groups.slice();
    copy.hosts = this.hosts.slice();
    copy.counts = this.counts.slice();
    copy.used = this.used;
    return copy;
  }

  /** Returns the new count. */
  add(group: number, host: number, delta: number): number {
    const mask = this.groups.length - 1;
    let i = slot(group, host) & mask;
    while (this.groups[i] !== EMPTY) {
      if (this.groups[i] === group && this.hosts[i] === host) {
        this.counts[i] += delta;
        return this.counts[i];
      }
      i = (i + 1) & mask;
    }
    if (this.groups === NO_GROUPS || this.used * 2 >= this.groups.length) {
      this.grow();
      return this.add(group, host, delta);
    }
    this.used++;
    this.groups[i] = group;
    this.hosts[i] = host;
    this.counts[i] = delta;
    return delta;
  }

  /** Hosts with a count above zero; slow, for rare queries and tests. */
  hostsOf(group: number): number[] {
    const out: number[] = [];
    for (let i = 0; i < this.groups.length; i++)
      if (this.groups[i] === group && this.counts[i] > 0) out.push(this.hosts[i]);
    return out;
  }

  /** Non-zero entries, sorted: equal for equal contents whatever the history. */
  entries(): string[] {
    const out: string[] = [];
    for (let i = 0; i < this.groups.length; i++) {
      if (this.groups[i] !== EMPTY && this.counts[i] !== 0)
        out.push(`${this.groups[i]}/${this.hosts[i]}=${this.counts[i]}`);
    }
    return out.sort();
  }

  /** Doubles the table and drops zeros that simulations left. */
  private grow(): void {
    const { groups, hosts, counts } = this;
    let live = 0;
    for (let i = 0; i < groups.length; i++) if (groups[i] !== EMPTY && counts[i] !== 0) live++;
    const size = Math.max(FIRST_SIZE, live * 4 >= groups.length ? groups.length * 2 : groups.length);
    this.groups = new Int32Array(size).fill(EMPTY);
    this.hosts = new Int32Array(size);
    this.counts = new Int32Array(size);
    this.used = 0;
    for (let i = 0; i < groups.length; i++)
      if (groups[i] !== EMPTY && counts[i] !== 0) this.add(groups[i], hosts[i], counts[i]);
  }
}

function slot(group: number, host: number): number {
  const h = Math.imul(group, 0x9e3779b1) ^ Math.imul(host, 0x85ebca6b);
  return h ^ (h >>> 15);
}
