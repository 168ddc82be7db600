import { ControlPlane, type ControlPlaneOptions } from './control-plane/control-plane.ts';
import { type Waiting, waitFor } from './control-plane/readiness.ts';
import type {
  ClusterEvent,
  ConsolidationCommand,
  ConsolidationPolicy,
  Node,
  NodeClaim,
  NodePool,
  Pod,
} from './kube-objects.ts';

interface Kinds {
  readonly nodes: Node;
  readonly nodeclaims: NodeClaim;
  readonly nodepools: NodePool;
  readonly pods: Pod;
  readonly events: ClusterEvent;
  readonly consolidationpolicies: ConsolidationPolicy;
  readonly consolidationcommands: ConsolidationCommand;
}

/** A control plane of a test, and what tests do with it. */
export class Cluster implements AsyncDisposable {
  readonly plane: ControlPlane;

  private constructor(plane: ControlPlane) {
    this.plane = plane;
  }

  static async start(options: ControlPlaneOptions = {}): Promise<Cluster> {
    return new Cluster(await ControlPlane.start({ say: (line) => process.stderr.write(`${line}\n`), ...options }));
  }

  /** In all namespaces, unless the arguments name one. */
  async list<K extends keyof Kinds>(kind: K, ...args: readonly string[]): Promise<readonly Kinds[K][]> {
    const scope = args.includes('-n') ? [] : ['-A'];
    const printed = await this.plane.kubectl(['get', kind, ...scope, '-o', 'json', ...args]);
    return (JSON.parse(printed) as { readonly items: readonly Kinds[K][] }).items;
  }

  async apply(...items: readonly object[]): Promise<void> {
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    // Validation needs the whole OpenAPI document, which takes a busy API server longer than kubectl waits.
    await this.plane.kubectl(['apply', '--server-side', '--force-conflicts', '--validate=false', '-f', '-'], list);
  }

  async scale(deployment: string, replicas: number): Promise<void> {
    await this.plane.kubectl(['scale', `deployment/${deployment}`, `--replicas=${replicas}`]);
  }

  /** No node becomes ready, and no pod begins or ends, until what it returns is disposed of. */
  stopMachines(): Disposable {
    return this.#stopped('kwok');
  }

  /** `make` makes this many pods, which Karpenter sees all at once: on a busy machine it would launch nodes for the first few. */
  async atOnce(pods: number, make: () => Promise<void>): Promise<void> {
    const before = new Set((await this.list('pods', '-n', 'default')).map(({ metadata }) => metadata.name));
    using _ = this.#stopped('karpenter');
    await make();
    await this.until(`kube-scheduler has looked at ${pods} new pods`, async () => {
      const made = (await this.list('pods', '-n', 'default')).filter(({ metadata }) => !before.has(metadata.name));
      return made.length === pods && made.every((pod) => pod.status.conditions?.some((c) => c.type === 'PodScheduled'));
    });
  }

  #stopped(component: 'kwok' | 'karpenter'): Disposable {
    const running = this.plane.components.get(component)!;
    running.kill('SIGSTOP');
    return { [Symbol.dispose]: () => running.kill('SIGCONT') };
  }

  /** All pods of the default namespace are Running, and there are this many. */
  async settled(pods: number, waiting?: Waiting): Promise<readonly Pod[]> {
    return this.until(
      `${pods} pods run`,
      async () => {
        const all = await this.list('pods', '-n', 'default');
        return all.length === pods && all.every((pod) => pod.status.phase === 'Running') && all;
      },
      waiting,
    );
  }

  async until<T>(what: string, ask: () => Promise<T | undefined | false>, waiting?: Waiting): Promise<T> {
    let problem: unknown;
    // A question that fails is asked again: a busy API server does not answer every one.
    const patiently = () =>
      ask().catch((error) => {
        problem = error;
        return undefined;
      });
    const told = waiting?.onTimeout ?? (() => this.#overview());
    const onTimeout = async () => [problem ?? '', await told(), this.plane.log('karpenter').slice(-4000)].join('\n');
    return waitFor(what, patiently, { pauseMs: 250, ...waiting, onTimeout });
  }

  async #overview(): Promise<string> {
    return this.plane.kubectl(['get', 'nodepools,nodeclaims,nodes,pods', '-A', '-o', 'wide']);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.plane.stop();
  }
}
