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
    await this.plane.kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], list);
  }

  async scale(deployment: string, replicas: number): Promise<void> {
    await this.plane.kubectl(['scale', `deployment/${deployment}`, `--replicas=${replicas}`]);
  }

  /** No node becomes ready, and no pod begins or ends, until what it returns is disposed of. */
  stopMachines(): Disposable {
    const kwok = this.plane.components.get('kwok')!;
    kwok.kill('SIGSTOP');
    return { [Symbol.dispose]: () => kwok.kill('SIGCONT') };
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
