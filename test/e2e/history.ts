import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../../src/live/api-client.ts';
import { linesOf } from '../../src/live/lines.ts';
import { JOURNAL_RESOURCE, pathOf, RESOURCES, type Resource } from '../../src/live/resource.ts';
import type { Node, NodeClaim, Pod } from './kube-objects.ts';

interface Kinds {
  readonly Node: Node;
  readonly NodeClaim: NodeClaim;
  readonly Pod: Pod;
  readonly ConsolidationCommand: CommandRecord;
}

/** The parts of a command that the laws check. */
export interface CommandRecord {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly nodes: readonly { readonly node: string; readonly nodeClaim: string }[];
    readonly replacements: readonly { readonly nodeClaim: string }[];
  };
  readonly status: { readonly phase: string; readonly reason?: string };
}

/** One write to the cluster, by whomever. */
type Change = {
  [K in keyof Kinds]: { readonly kind: K; readonly type: string; readonly object: Kinds[K]; readonly version: bigint };
}[keyof Kinds];

/** The state after a change, and the change. */
export interface Moment {
  readonly change: Change;
  readonly nodes: ReadonlyMap<string, Node>;
  readonly nodeClaims: ReadonlyMap<string, NodeClaim>;
  readonly pods: ReadonlyMap<string, Pod>;
  readonly commands: ReadonlyMap<string, CommandRecord>;
}

const RECORDED: readonly Resource[] = [RESOURCES.Node, RESOURCES.NodeClaim, RESOURCES.Pod, JOURNAL_RESOURCE];

/** Everything that happens to nodes, claims, pods and commands, in the order in which etcd has it. */
export class History implements AsyncDisposable {
  private readonly changes: Change[] = [];
  private readonly ending = new AbortController();
  private readonly watches: Promise<void>[] = [];
  private problem: unknown;

  static async record(client: ApiClient): Promise<History> {
    const history = new History();
    for (const resource of RECORDED) await history.follow(client, resource);
    return history;
  }

  private async follow(client: ApiClient, resource: Resource): Promise<void> {
    const path = pathOf(resource);
    const { signal } = this.ending;
    const { metadata, items } = await client.request<{
      metadata: { resourceVersion: string };
      items: Change['object'][];
    }>({ method: 'GET', path });
    for (const object of items) this.take(resource.kind, 'ADDED', object);
    const query = { watch: '1', resourceVersion: metadata.resourceVersion, timeoutSeconds: '7200' };
    const stream = await client.stream({ method: 'GET', path, query, idleMs: 7_200_000, signal });
    const read = async () => {
      for await (const lines of linesOf(stream))
        for (const line of lines) {
          const { type, object } = JSON.parse(Buffer.concat(line).toString());
          this.take(resource.kind, type, object);
        }
    };
    this.watches.push(
      read().catch((error) => {
        if (!signal.aborted) this.problem = error;
      }),
    );
  }

  private take(kind: string, type: string, object: unknown): void {
    const { resourceVersion } = (object as { metadata: { resourceVersion: string } }).metadata;
    this.changes.push({ kind, type, object, version: BigInt(resourceVersion) } as Change);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.ending.abort();
    await Promise.all(this.watches);
  }

  /** Nothing more; throws if something was missed. */
  async stop(): Promise<void> {
    // What the caller has seen is on its way to us too.
    await sleep(1_000);
    await this[Symbol.asyncDispose]();
    if (this.problem !== undefined) throw this.problem;
  }

  /** From the first to the last. The maps are the same ones all the time. */
  *moments(): Generator<Moment> {
    const state = {
      Node: new Map<string, Node>(),
      NodeClaim: new Map<string, NodeClaim>(),
      Pod: new Map<string, Pod>(),
      ConsolidationCommand: new Map<string, CommandRecord>(),
    };
    const ordered = this.changes.toSorted((a, b) => (a.version < b.version ? -1 : a.version > b.version ? 1 : 0));
    for (const change of ordered) {
      const { kind, type, object } = change;
      const { name, namespace = '' } = object.metadata as { name: string; namespace?: string };
      const key = kind === 'Pod' ? `${namespace}/${name}` : name;
      const objects = state[kind] as Map<string, unknown>;
      if (type === 'DELETED') objects.delete(key);
      else objects.set(key, object);
      yield {
        change,
        nodes: state.Node,
        nodeClaims: state.NodeClaim,
        pods: state.Pod,
        commands: state.ConsolidationCommand,
      };
    }
  }
}
