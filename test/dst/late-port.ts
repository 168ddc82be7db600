import type { Action, ClusterPort, ClusterView } from '../../src/controller/cluster-port.ts';
import type { FakeCluster } from '../build/fake-cluster.ts';

/**
 * A port whose views fall behind now and then, as those of a cache do: for a while they are as old as the first of them,
 * and after a write of one's own there are none until it has caught up. Nodes that go are not shown as staying: who deletes
 * by an old view would be told so by the API server.
 */
export class LatePort implements ClusterPort {
  private readonly port: FakeCluster;
  private old: ClusterView | undefined;
  private ticksLeft = 0;

  constructor(port: FakeCluster) {
    this.port = port;
  }

  get isBehind(): boolean {
    return this.ticksLeft > 0;
  }

  fallBehind(ticks: number): void {
    this.ticksLeft = ticks;
    this.old = this.port.objects.nodeClaims.some((c) => c.terminating) ? undefined : this.port.view();
  }

  catchUp(): void {
    this.ticksLeft = 0;
  }

  tick(): void {
    if (this.ticksLeft > 0) this.ticksLeft--;
  }

  view(): ClusterView | undefined {
    return this.isBehind ? this.old : this.port.view();
  }

  act(action: Action): Promise<void> {
    this.old = undefined;
    return this.port.act(action);
  }
}
