import type { Action, ClusterPort, ClusterView } from '../../src/controller/cluster-port.ts';
import type { FakeCluster } from '../build/fake-cluster.ts';

/**
 * A port whose views fall behind now and then, as those of a cache do: for a while they are as old as the first of them,
 * and after a write of one's own there are none until it has caught up. Nodes that go are not shown as staying: who deletes
 * by an old view would be told so by the API server. Or only what is said of pods comes late, after what is said of nodes:
 * each kind is followed by itself, and nobody waits for pods after a write.
 */
export class LatePort implements ClusterPort {
  private readonly port: FakeCluster;
  private old: ClusterView | undefined;
  private onlyPods = false;
  private ticksLeft = 0;

  constructor(port: FakeCluster) {
    this.port = port;
  }

  get isBehind(): boolean {
    return this.ticksLeft > 0;
  }

  fallBehind(ticks: number): void {
    this.ticksLeft = ticks;
    this.onlyPods = false;
    this.old = this.port.objects.nodeClaims.some((c) => c.terminating) ? undefined : this.port.view();
  }

  /** For one tick. */
  missPods(): void {
    this.ticksLeft = 1;
    this.onlyPods = true;
    this.old = this.port.view();
  }

  catchUp(): void {
    this.ticksLeft = 0;
  }

  tick(): void {
    if (this.ticksLeft > 0) this.ticksLeft--;
  }

  view(): ClusterView | undefined {
    const view = this.port.view();
    if (!this.isBehind) return view;
    return this.onlyPods ? this.mixed(view) : this.old;
  }

  private mixed(view: ClusterView | undefined): ClusterView | undefined {
    if (view === undefined || this.old === undefined) return view;
    const { objects } = view;
    const names = new Set(objects.nodes.map(({ name }) => name));
    const pods = this.old.objects.pods.filter(({ nodeName }) => nodeName === '' || names.has(nodeName));
    return { ...view, objects: { ...objects, pods } };
  }

  act(action: Action): Promise<void> {
    if (!this.onlyPods) this.old = undefined;
    return this.port.act(action);
  }
}
