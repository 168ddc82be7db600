import type { ClusterFacts } from '../catalog/cluster-location.ts';
import type { Catalog } from '../catalog/load.ts';
import { poolsInZones } from '../catalog/pool-zones.ts';
import { type Action, type ClusterPort, type ClusterView, RejectedAction } from '../controller/cluster-port.ts';
import { type Command, isOpen } from '../controller/command.ts';
import { isTainted } from '../controller/leaving.ts';
import { sameValue } from '../controller/same-value.ts';
import type { KarpenterOptions } from '../engine/cluster/karpenter-options.ts';
import type { ClusterObjects, WorkloadObject } from '../engine/cluster/objects.ts';
import { DISRUPTED_TAINT, LEAVING_TAINT, WELL_KNOWN_LABELS } from '../engine/cluster/well-known.ts';
import { optionsOf } from '../kube/decode/karpenter-options.ts';
import { timeText } from '../kube/encode/time-text.ts';
import { type ApiClient, ApiError, serverTimeMs } from './api-client.ts';
import type { Pace } from './backoff.ts';
import { ClusterCache } from './cluster-cache.ts';
import { ClusterWriter, type WriteResult } from './cluster-writer.ts';
import { Expectations } from './expectations.ts';
import type { Reflector } from './reflector.ts';
import type { WriteRate } from './write-pace.ts';

export interface LiveClusterOptions {
  readonly client: ApiClient;
  /**
   * Loads instance types and prices for the cluster, at the start and then periodically. `cluster` is undefined until
   * every kind has been listed; a loader that needs it returns undefined and is called again.
   */
  loadCatalog(cluster: ClusterFacts | undefined): Promise<Catalog | undefined>;
  readonly catalogEveryMs?: number;
  /** Takes precedence over what Karpenter's Deployment says. */
  readonly karpenter?: Partial<KarpenterOptions>;
  /** Read HorizontalPodAutoscalers, for rollouts. */
  readonly autoscalers?: boolean;
  readonly writeRate?: WriteRate;
  /** Throws if writes are no longer allowed. Called before every write. */
  readonly beforeWrite?: () => void;
  /** Default: the server's time. */
  readonly nowMs?: () => number;
  readonly pace?: Pace;
  readonly patienceMs?: number;
}

/** Why there is no view, and other problems, as text. */
export interface ClusterHealth {
  readonly isSynced: boolean;
  /** By kind: what it waits for. */
  readonly unsynced: ReadonlyMap<string, string>;
  /** Of those, kinds that cannot be read, and why. */
  readonly failing: ReadonlyMap<string, string>;
  /** Kinds that access control forbids: permanent until permissions change. */
  readonly forbidden: readonly string[];
  /** Decant's own kinds that the cluster lacks. */
  readonly absent: readonly string[];
  /** Why the catalog could not be loaded; the last one is kept, and no command is begun with it. */
  readonly catalogProblem?: string;
}

const USUAL_CATALOG_MS = 10 * 60_000;
const CATCH_UP_MS = 1_000;

export class LiveCluster implements ClusterPort {
  private readonly options: LiveClusterOptions;
  private readonly cache: ClusterCache;
  private readonly writer: ClusterWriter;
  private readonly expectations: Expectations;
  private karpenter: KarpenterOptions | undefined = undefined;
  private optionsFrom: readonly WorkloadObject[] | undefined = undefined;
  private readonly listeners = new Set<() => void>();
  private readonly ending = new AbortController();
  private running: Promise<void> | undefined;
  private catalog: Catalog | undefined;
  private isLoadingCatalog = false;
  private catalogProblem: string | undefined;
  private catalogTimer: NodeJS.Timeout | undefined;
  /** By command id: the version of our last write. */
  private readonly written = new Map<string, string>();

  constructor(options: LiveClusterOptions) {
    this.options = options;
    this.cache = new ClusterCache({
      client: options.client,
      pace: options.pace,
      autoscalers: options.autoscalers,
      onNews: (changed) => this.heard(changed),
    });
    this.writer = new ClusterWriter({
      client: options.client,
      rate: options.writeRate,
      beforeWrite: options.beforeWrite,
    });
    this.expectations = new Expectations(options.patienceMs);
  }

  /** Starts to watch the cluster; `onChange` reports updates. */
  start(): void {
    this.running ??= this.cache.run(this.ending.signal);
    void this.reloadCatalog();
  }

  /** Stops everything and resolves when it has ended. Pending writes are completed. */
  async stop(): Promise<void> {
    this.ending.abort();
    clearTimeout(this.catalogTimer);
    await this.running;
  }

  /** Returns a function that stops it. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get health(): ClusterHealth {
    const { reflectors } = this.cache;
    const unsynced = new Map<string, string>();
    const failing = new Map<string, string>();
    for (const { watched, syncState } of reflectors) {
      if (syncState.code === 'current') continue;
      unsynced.set(watched.resource.kind, syncState.code === 'listing' ? 'is being listed' : syncState.why);
      if (syncState.code === 'failing') failing.set(watched.resource.kind, syncState.why);
    }
    return {
      isSynced: unsynced.size === 0,
      unsynced,
      failing,
      forbidden: reflectors.flatMap(({ syncState }) => (syncState.code === 'forbidden' ? [syncState.why] : [])),
      absent: reflectors.filter((r) => r.isAbsent).map((r) => r.watched.resource.kind),
      ...(this.catalogProblem === undefined ? {} : { catalogProblem: this.catalogProblem }),
    };
  }

  private nowMs(): number {
    return this.options.nowMs?.() ?? serverTimeMs(this.options.client);
  }

  view(): ClusterView | undefined {
    if (this.catalog === undefined || !this.cache.isCurrent || !this.expectations.areMet) return undefined;
    const cached = this.cache.objects();
    const objects: ClusterObjects = {
      ...cached,
      nodePools: poolsInZones(cached.nodePools, this.catalog.zonesByPool),
      nowMs: this.nowMs(),
      options: this.karpenterOptions(cached.workloads),
      instanceTypes: this.catalog.types,
      prices: this.catalog.origin,
    };
    return { objects, commands: this.cache.commands, policies: this.cache.policies };
  }

  /** The same object for as long as nothing of it changes: passes compare by identity. */
  private karpenterOptions(workloads: readonly WorkloadObject[]): KarpenterOptions {
    if (workloads !== this.optionsFrom) {
      const options = optionsOf(workloads, this.options.karpenter);
      if (this.karpenter === undefined || !sameValue(options, this.karpenter)) this.karpenter = options;
      this.optionsFrom = workloads;
    }
    return this.karpenter as KarpenterOptions;
  }

  /** Another replica may have written what is not seen here: no view before everything is listed again. */
  relistAll(): void {
    const { journal, nodeClaims, nodes } = this.cache;
    for (const reflector of [journal, nodeClaims, nodes]) this.expectations.doubt(reflector as Reflector<unknown>);
  }

  async act(action: Action): Promise<void> {
    if (this.catalogProblem !== undefined && !this.isUndoing(action))
      throw new Error(`not acting on outdated prices: ${this.catalogProblem}`);
    const { cache, writer } = this;
    switch (action.kind) {
      case 'save-command':
        return this.save(action.command);
      case 'forget-command':
        this.written.delete(action.command);
        return this.expect(cache.journal, action.command, () => writer.forgetCommand(action.command));
      case 'taint':
      case 'untaint': {
        const { node: name, kind } = action;
        const tainted = kind === 'taint';
        const known = cache.nodes.store.get(name);
        if (known !== undefined && cache.isCurrent && this.expectations.areMet && isTainted(known) === tainted) return;
        return this.expect(cache.nodes, name, () => writer.setTaint(name, DISRUPTED_TAINT, tainted));
      }
      case 'steer-node': {
        const { node: name, steered, pods } = action;
        const timeAdded = timeText(this.nowMs());
        const taint = { ...LEAVING_TAINT, value: String(pods), timeAdded };
        return this.expect(cache.nodes, name, () => writer.setTaint(name, taint, steered));
      }
      case 'steer-pod': {
        // Not expected in the next view: writing it again is harmless.
        await writer.setSteeredCost(action, action.cost).catch(rejectedOn(403));
        return;
      }
      case 'restart-deployment':
        return this.expect(cache.deployments, '', () => writer.restartDeployment(action));
      case 'extra-replica':
        return this.expect(cache.deployments, '', () => writer.setExtraReplica(action));
      case 'create-node-claim': {
        const { replacement, command } = action;
        return this.expect(cache.nodeClaims, replacement.nodeClaim, () =>
          writer.createNodeClaim(replacement, command, this.wellKnownLabels()),
        );
      }
      case 'delete-node-claim': {
        const known = cache.nodeClaims.store.get(action.nodeClaim);
        if (known?.terminating) return;
        return this.expect(cache.nodeClaims, action.nodeClaim, () =>
          writer.deleteNodeClaim(action.nodeClaim, known?.uid),
        );
      }
    }
  }

  private async save(command: Command): Promise<void> {
    const { journal } = this.cache;
    const known = journal.store.get(command.id);
    if (known !== undefined && !this.written.has(command.id) && sameValue(known.command, command)) return;
    await this.expect(journal, command.id, async () => {
      const over = this.written.get(command.id) ?? known?.resourceVersion;
      const outcome = await this.writer.saveCommand(command, over).catch(rejectedOn(413));
      if ('resourceVersion' in outcome) this.written.set(command.id, outcome.resourceVersion);
      return outcome;
    });
  }

  /** Performs a write and records what must be seen of it before the next view. */
  private async expect<T>(reflector: Reflector<T>, key: string, write: () => Promise<WriteResult>): Promise<void> {
    let outcome: WriteResult;
    try {
      outcome = await write();
    } catch (error) {
      this.written.delete(key);
      if (mayHaveHappened(error)) this.expectations.doubt(reflector);
      throw error;
    }
    if ('resourceVersion' in outcome) this.expectations.version(reflector, outcome.resourceVersion);
    else if ('gone' in outcome) this.expectations.gone(reflector, key);
    // Takes milliseconds, and the caller needs a view next; if it takes longer, there is none until then.
    await this.expectations.met(CATCH_UP_MS);
  }

  /** Undoing a command is allowed with outdated prices: it needs none. */
  private isUndoing(action: Action): boolean {
    switch (action.kind) {
      case 'untaint':
      case 'forget-command':
        return true;
      case 'steer-node':
        return !action.steered;
      case 'steer-pod':
        return action.cost === undefined;
      case 'restart-deployment':
        return action.undo !== undefined;
      case 'extra-replica':
        return !action.wanted;
      case 'save-command':
        return action.command.reason !== undefined || !isOpen(action.command);
      case 'delete-node-claim': {
        const command = this.cache.journal.store.get(action.command)?.command;
        return command?.replacements.some((r) => r.nodeClaim === action.nodeClaim) ?? false;
      }
      default:
        return false;
    }
  }

  /** Label keys that the provider sets on nodes. */
  private wellKnownLabels(): ReadonlySet<string> {
    const ofTypes = (this.catalog?.types ?? []).flatMap((t) => t.requirements.map((r) => r.key));
    return new Set([...WELL_KNOWN_LABELS, ...ofTypes]);
  }

  private facts(): ClusterFacts {
    const objects = this.cache.objects();
    return { ...objects, options: this.karpenterOptions(objects.workloads) };
  }

  private async reloadCatalog(): Promise<void> {
    if (this.isLoadingCatalog) return;
    this.isLoadingCatalog = true;
    clearTimeout(this.catalogTimer);
    const before = this.catalogProblem;
    try {
      const loaded = await this.options.loadCatalog(this.cache.isCurrent ? this.facts() : undefined);
      this.catalogProblem = undefined;
      if (loaded !== undefined) this.renewCatalog(loaded);
    } catch (error) {
      this.catalogProblem = error instanceof Error ? error.message : String(error);
    }
    this.isLoadingCatalog = false;
    if (before !== this.catalogProblem) this.changed();
    if (this.ending.signal.aborted) return;
    const { catalogEveryMs = USUAL_CATALOG_MS } = this.options;
    this.catalogTimer = setTimeout(() => void this.reloadCatalog(), catalogEveryMs).unref();
  }

  /** Unchanged types keep their identity, by which others know that nothing has changed. */
  private renewCatalog(loaded: Catalog): void {
    const before = this.catalog;
    const isSame = before !== undefined && sameValue(loaded.types, before.types);
    const zonesStay = sameValue([...(loaded.zonesByPool ?? [])], [...(before?.zonesByPool ?? [])]);
    this.catalog = isSame ? { ...loaded, types: before.types } : loaded;
    if (!isSame || !zonesStay) this.changed();
  }

  /** Our own writes count as updates even if nothing else has changed. */
  private heard(changed: boolean): void {
    for (const [id, version] of this.written) if (this.cache.journal.hasSeen(version)) this.written.delete(id);
    if (this.expectations.check() || changed) this.changed();
    // The cluster's region and zones are known only now.
    if (this.catalog === undefined && this.cache.isCurrent) void this.reloadCatalog();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

/** An answer with this status is the same every time. */
function rejectedOn(status: number): (error: unknown) => never {
  return (error) => {
    throw error instanceof ApiError && error.status === status ? new RejectedAction(error.message) : error;
  };
}

/** Without a clear answer, the write may have taken effect. */
function mayHaveHappened(error: unknown): boolean {
  return error instanceof ApiError && (error.status < 300 || error.status >= 500);
}
