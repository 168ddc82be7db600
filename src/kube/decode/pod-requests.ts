import type { Resources } from '../../engine/cluster/objects.ts';
import type { Row } from '../read/json-shape.ts';
import { isAbsent, object } from './field-value.ts';
import { canonical } from './interned.ts';
import { RawIds, rowsIn } from './pod-spec.ts';
import { type ExactAmounts, exactAmounts, roundedAmounts } from './resource-amounts.ts';

/** A container's resources as its status reports them, during or after an in-place resize. */
export interface ContainerStatus {
  /** status.containerStatuses[].resources */
  readonly resources: unknown;
  readonly allocated: unknown;
}

/** Inputs of a pod's requests besides its spec. */
export interface PodStatus {
  readonly statuses: ReadonlyMap<string, ContainerStatus>;
  /** The kubelet reported the resize in the spec as infeasible. */
  readonly resizeInfeasible: boolean;
}

const NO_STATUS: PodStatus = { statuses: new Map(), resizeInfeasible: false };

/**
 * A pod's requests: k8s.io/component-helpers/resource PodRequests with UseStatusResources, in exact amounts that are
 * rounded up once at the end. Pods with equal parts get the same object.
 */
export class PodRequests {
  private readonly ids = new RawIds();
  private readonly byParts = new Map<string, Resources>();
  private readonly byContent = new Map<string, Resources>();
  private readonly specPath: string;
  private readonly limitsAreRequests: boolean;

  /** `limitsAreRequests`: limits replace missing requests, as the API server does for pods but not for templates. */
  constructor(specPath: string, limitsAreRequests: boolean) {
    this.specPath = specPath;
    this.limitsAreRequests = limitsAreRequests;
  }

  of(row: Row, status: PodStatus = NO_STATUS): Resources {
    const key = this.partsKey(row, status);
    const known = this.byParts.get(key);
    if (known !== undefined) return known;
    const requests = canonical(this.byContent, roundedAmounts(this.compute(row, status)));
    this.byParts.set(key, requests);
    return requests;
  }

  private partsKey(row: Row, status: PodStatus): string {
    const ids = this.ids;
    let key = `${ids.of(row.overhead)} ${ids.of(row.resources)} ${status.resizeInfeasible}`;
    for (const containers of [row.containers, row.initContainers]) {
      key += '|';
      for (const container of rowsIn(containers)) {
        key += ` ${ids.of(container.resources)}${container.restartPolicy === 'Always' ? 's' : ''}`;
        const own = status.statuses.get(container.name as string);
        if (own !== undefined) key += `,${ids.of(own.resources)},${ids.of(own.allocated)}`;
      }
    }
    return key;
  }

  private compute(row: Row, status: PodStatus): ExactAmounts {
    const total: ExactAmounts = new Map();
    rowsIn(row.containers).forEach((container, i) => {
      add(total, this.containerRequests(container, `${this.specPath}.containers[${i}]`, status));
    });
    const sidecars: ExactAmounts = new Map();
    const peak: ExactAmounts = new Map();
    rowsIn(row.initContainers).forEach((container, i) => {
      const sidecar = container.restartPolicy === 'Always';
      const path = `${this.specPath}.initContainers[${i}]`;
      const own = this.containerRequests(container, path, sidecar ? status : NO_STATUS);
      if (sidecar) {
        add(total, own);
        add(sidecars, own);
        raise(peak, sidecars);
      } else {
        add(own, sidecars);
        raise(peak, own);
      }
    });
    raise(total, peak);
    this.applyPodLevel(total, row);
    add(total, exactAmounts(row.overhead, `${this.specPath}.overhead`));
    return total;
  }

  private containerRequests(container: Row, path: string, status: PodStatus): ExactAmounts {
    const resources = object(container.resources, `${path}.resources`);
    const spec = exactAmounts(resources?.requests, `${path}.resources.requests`);
    if (this.limitsAreRequests) {
      for (const [name, limit] of exactAmounts(resources?.limits, `${path}.resources.limits`)) {
        if (!spec.has(name)) spec.set(name, limit);
      }
    }
    const own = status.statuses.get(container.name as string);
    if (own === undefined) return spec;
    const at = `status of container ${String(container.name)}`;
    const effective = status.resizeInfeasible ? new Map() : spec;
    raise(effective, exactAmounts(object(own.resources, at)?.requests, `${at}: resources.requests`));
    raise(effective, exactAmounts(own.allocated, `${at}: allocatedResources`));
    return effective;
  }

  /** Pod-level requests replace those of the containers, resource by resource. */
  private applyPodLevel(total: ExactAmounts, row: Row): void {
    if (isAbsent(row.resources)) return;
    const path = `${this.specPath}.resources`;
    for (const [name, amount] of exactAmounts(object(row.resources, path)?.requests, `${path}.requests`)) {
      if (name === 'cpu' || name === 'memory' || name.startsWith('hugepages-')) total.set(name, amount);
    }
  }
}

function add(total: ExactAmounts, more: ExactAmounts): void {
  for (const [name, amount] of more) total.set(name, (total.get(name) ?? 0n) + amount);
}

function raise(total: ExactAmounts, atLeast: ExactAmounts): void {
  for (const [name, amount] of atLeast) {
    const held = total.get(name);
    if (held === undefined || amount > held) total.set(name, amount);
  }
}
