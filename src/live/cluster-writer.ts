import type { Action } from '../controller/cluster-port.ts';
import type { Command, CommandReplacement } from '../controller/command.ts';
import { DELETION_COST, EXTRA_REPLICA, RESTARTED_BY, STEERED_COST } from '../engine/cluster/well-known.ts';
import { type ApiClient, ApiError, type ApiRequest, absentOn, isStatus } from './api-client.ts';
import { commandObject } from './journal-object.ts';
import { COMMAND_ANNOTATION, type NodePoolTemplate, nodeClaimObject } from './node-claim-object.ts';
import { JOURNAL_RESOURCE, pathOf, RESOURCES } from './resource.ts';
import { WritePace, type WriteRate } from './write-pace.ts';

/** The effect of a write that must be visible before the next pass. */
export type WriteResult =
  /** The object's new version. */
  | { readonly resourceVersion: string }
  /** The object no longer exists. */
  | { readonly gone: true }
  /** Nothing had to be written. */
  | { readonly unchanged: true };

export interface WriterOptions {
  readonly client: ApiClient;
  readonly rate?: WriteRate;
  /** Throws if writes are no longer allowed, as when another replica leads. Called before every write. */
  readonly beforeWrite?: () => void;
}

interface Versioned {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly uid: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

interface NodeBody extends Versioned {
  readonly spec?: { readonly taints?: readonly TaintBody[] };
}

interface TaintBody {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
}

interface DeploymentBody extends Versioned {
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
  };
}

interface PodName {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

const MOST_CONFLICTS = 5;
const MOST_REFUSALS = 3;
const LONGEST_WAIT_MS = 30_000;

/** Decant's writes. Each is idempotent, and none overwrites a concurrent change. */
export class ClusterWriter {
  private readonly options: WriterOptions;
  private readonly pace: WritePace;

  constructor(options: WriterOptions) {
    this.options = options;
    this.pace = new WritePace(options.rate);
  }

  /** `over`: the version to overwrite; undefined for a new object. Concurrent writes win. */
  async saveCommand(command: Command, over: string | undefined): Promise<WriteResult> {
    const object = commandObject(command);
    const { name } = object.metadata;
    const request: ApiRequest =
      over === undefined
        ? { method: 'POST', path: pathOf(JOURNAL_RESOURCE), body: object }
        : {
            method: 'PUT',
            path: pathOf(JOURNAL_RESOURCE, name),
            body: { ...object, metadata: { name, resourceVersion: over } },
          };
    return versionOf(await this.write<Versioned>(request));
  }

  async forgetCommand(id: string): Promise<WriteResult> {
    return this.remove(pathOf(JOURNAL_RESOURCE, id));
  }

  /** Adds or removes this taint and keeps the others. Does nothing if the node is gone. */
  async setTaint(node: string, taint: TaintBody, tainted: boolean): Promise<WriteResult> {
    const { key, effect, value, timeAdded } = taint;
    return this.patch<NodeBody>(pathOf(RESOURCES.Node, node), undefined, ({ spec: { taints = [] } = {} }) => {
      const others = taints.filter((t) => t.key !== key || t.effect !== effect);
      if (others.length < taints.length === tainted) return undefined;
      const wanted = tainted
        ? [...others, { key, effect, ...(value ? { value } : {}), ...(timeAdded ? { timeAdded } : {}) }]
        : others;
      return { spec: { taints: wanted.length === 0 ? null : wanted } };
    });
  }

  /**
   * Writes the deletion cost of steering and its mark, or removes both. Leaves a cost that someone else set or changed,
   * and a pod that was replaced meanwhile.
   */
  async setSteeredCost(pod: PodName, cost: number | undefined): Promise<WriteResult> {
    const wanted = cost === undefined ? undefined : String(cost);
    return this.patch(pathOf(RESOURCES.Pod, pod.name, pod.namespace), pod.uid, ({ metadata: { annotations = {} } }) => {
      const [given, ours] = [annotations[DELETION_COST], annotations[STEERED_COST]];
      const isTheirs = given !== undefined && given !== ours;
      if ((isTheirs && ours === undefined) || (!isTheirs && given === wanted && ours === wanted)) return undefined;
      const written = isTheirs
        ? { [STEERED_COST]: null }
        : { [DELETION_COST]: wanted ?? null, [STEERED_COST]: wanted ?? null };
      return { metadata: { annotations: written } };
    });
  }

  /** See the action `restart-deployment`. A Deployment that was replaced meanwhile is left alone. */
  async restartDeployment(restart: Extract<Action, { kind: 'restart-deployment' }>): Promise<WriteResult> {
    const { command, undo } = restart;
    return this.patch<DeploymentBody>(pathOfDeployment(restart), restart.uid, ({ spec }) => {
      const current = spec.template.metadata?.annotations?.[RESTARTED_BY];
      const wanted = undo === undefined ? command : undo.before;
      if (current === wanted || (undo !== undefined && current !== command)) return undefined;
      if (undo === undefined && spec.replicas !== 1) throw new Error('the Deployment no longer has one replica');
      return { spec: { template: { metadata: { annotations: { [RESTARTED_BY]: wanted ?? null } } } } };
    });
  }

  /** See the action `extra-replica`. Replicas that someone else has changed since stay. */
  async setExtraReplica(extra: Extract<Action, { kind: 'extra-replica' }>): Promise<WriteResult> {
    const { command, wanted } = extra;
    return this.patch<DeploymentBody>(pathOfDeployment(extra), extra.uid, ({ metadata, spec }) => {
      const owner = metadata.annotations?.[EXTRA_REPLICA];
      if ((owner === command) === wanted) return undefined;
      if (wanted && (owner !== undefined || spec.replicas !== 1))
        throw new Error('the Deployment no longer has one replica');
      const replicas = wanted ? 2 : spec.replicas === 2 ? 1 : spec.replicas;
      return { metadata: { annotations: { [EXTRA_REPLICA]: wanted ? command : null } }, spec: { replicas } };
    });
  }

  /**
   * Patches an object as it is, again if another writer was faster. Leaves one that is gone, or that has another uid.
   * `change` returns what to patch; undefined: nothing.
   */
  private async patch<T extends Versioned>(
    path: string,
    uid: string | undefined,
    change: (found: T) => { readonly metadata?: object; readonly spec?: object } | undefined,
  ): Promise<WriteResult> {
    for (let conflicts = 0; ; conflicts++) {
      const found = await absentOn([404], this.options.client.request<T>({ method: 'GET', path }));
      if (found === undefined || (uid !== undefined && found.metadata.uid !== uid)) return { unchanged: true };
      const { resourceVersion, uid: own } = found.metadata;
      const changed = change(found);
      if (changed === undefined) return { resourceVersion };
      try {
        const patched = await this.write<Versioned>({
          method: 'PATCH',
          path,
          // The version makes it fail if the object has changed.
          body: { ...changed, metadata: { ...changed.metadata, resourceVersion, uid: own } },
          contentType: 'application/merge-patch+json',
        });
        return versionOf(patched);
      } catch (error) {
        if (isStatus(error, 404)) return { unchanged: true };
        if (!isStatus(error, 409) || conflicts === MOST_CONFLICTS) throw error;
      }
    }
  }

  async createNodeClaim(
    replacement: CommandReplacement,
    command: string,
    wellKnown: ReadonlySet<string>,
  ): Promise<WriteResult> {
    const { client } = this.options;
    const pool = await client.request<NodePoolTemplate>({
      method: 'GET',
      path: pathOf(RESOURCES.NodePool, replacement.nodePool),
    });
    if (pool.metadata.deletionTimestamp !== undefined)
      throw new Error(`NodePool ${replacement.nodePool} is being deleted`);
    const body = nodeClaimObject(pool, replacement, command, wellKnown);
    try {
      return versionOf(await this.write<Versioned>({ method: 'POST', path: pathOf(RESOURCES.NodeClaim), body }));
    } catch (error) {
      if (!isStatus(error, 409)) throw error;
    }
    const path = pathOf(RESOURCES.NodeClaim, replacement.nodeClaim);
    const there = await client.request<Versioned>({ method: 'GET', path });
    if (there.metadata.annotations?.[COMMAND_ANNOTATION] === command) return versionOf(there);
    throw new Error(`NodeClaim ${replacement.nodeClaim} exists and does not belong to command ${command}`);
  }

  /** `uid`: of the intended claim, if known; another one of the same name is left alone. */
  async deleteNodeClaim(name: string, uid: string | undefined): Promise<WriteResult> {
    const path = pathOf(RESOURCES.NodeClaim, name);
    if (uid !== undefined) return this.remove(path, uid);
    const found = await absentOn([404], this.options.client.request<Versioned>({ method: 'GET', path }));
    return found === undefined ? { gone: true } : this.remove(path, found.metadata.uid);
  }

  private async remove(path: string, uid?: string): Promise<WriteResult> {
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    };
    const answer = await absentOn([404], this.write<Partial<Versioned>>({ method: 'DELETE', path, body }));
    // An object that waits for its finalizers is returned; for one that is gone there is only a Status.
    const resourceVersion = answer?.metadata?.resourceVersion;
    return resourceVersion === undefined ? { gone: true } : { resourceVersion };
  }

  private async write<T>(request: ApiRequest): Promise<T> {
    const { client, beforeWrite } = this.options;
    for (let refusals = 1; ; refusals++) {
      await this.pace.turn();
      beforeWrite?.();
      try {
        return await client.request<T>(request);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 429) throw error;
        this.pace.pause(Math.min(error.retryAfterMs ?? 1_000, LONGEST_WAIT_MS));
        if (refusals === MOST_REFUSALS) throw error;
      }
    }
  }
}

function pathOfDeployment({ namespace, name }: PodName): string {
  return pathOf(RESOURCES.Deployment, name, namespace);
}

function versionOf({ metadata }: Versioned): WriteResult {
  if (typeof metadata?.resourceVersion === 'string') return { resourceVersion: metadata.resourceVersion };
  throw new ApiError('the response to a write has no resourceVersion', { status: 200, reason: 'BadAnswer' });
}
