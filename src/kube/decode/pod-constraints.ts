import type { HostPort } from '../../engine/cluster/host-port.ts';
import type { PodConstraints } from '../../engine/cluster/objects.ts';
import type { Row } from '../read/json-shape.ts';
import { decodePodAffinity } from './affinity.ts';
import { integer, isAbsent, type JsonObject, labels, list, objects, text } from './field-value.ts';
import { canonical, Interned } from './interned.ts';
import { RawIds, rowsIn } from './pod-spec.ts';
import { decodeTolerations } from './taint.ts';
import { decodeTopologySpread } from './topology-spread.ts';

const NO_PORTS: readonly HostPort[] = Object.freeze([]);

/** Where a pod may run. Pods with equal parts get the same object. */
export class PodConstraintSets {
  private readonly ids = new RawIds();
  private readonly byParts = new Map<string, PodConstraints>();
  private readonly byContent = new Map<string, PodConstraints>();
  private readonly hostPorts: Interned<readonly HostPort[]>;
  private readonly specPath: string;

  constructor(specPath: string) {
    this.specPath = specPath;
    this.hostPorts = new Interned(decodeHostPorts);
  }

  of(row: Row): PodConstraints {
    const ports = this.hostPortsOf(row);
    const claims = this.claimsResources(row);
    const { ids } = this;
    const key = `${ids.of(row.nodeSelector)} ${ids.of(row.affinity)} ${ids.of(row.tolerations)} ${ids.of(row.topologySpreadConstraints)} ${ids.of(ports)} ${claims}`;
    const known = this.byParts.get(key);
    if (known !== undefined) return known;
    const at = this.specPath;
    const constraints = canonical(this.byContent, {
      nodeSelector: labels(row.nodeSelector, `${at}.nodeSelector`),
      ...decodePodAffinity(row.affinity, `${at}.affinity`),
      tolerations: decodeTolerations(row.tolerations, `${at}.tolerations`),
      topologySpread: decodeTopologySpread(row.topologySpreadConstraints, `${at}.topologySpreadConstraints`),
      hostPorts: ports,
      resourceClaims: claims,
    });
    this.byParts.set(key, constraints);
    return constraints;
  }

  /** Of regular containers only, as in Karpenter. */
  private hostPortsOf(row: Row): readonly HostPort[] {
    let all = NO_PORTS;
    const containers = rowsIn(row.containers);
    for (let i = 0; i < containers.length; i++) {
      const { ports } = containers[i];
      if (isAbsent(ports)) continue;
      const own = this.hostPorts.of(ports, `${this.specPath}.containers[${i}].ports`);
      if (own.length > 0) all = all === NO_PORTS ? own : [...all, ...own];
    }
    return all;
  }

  private claimsResources(row: Row): boolean {
    if (list(row.resourceClaims, `${this.specPath}.resourceClaims`).length > 0) return true;
    return this.anyClaims(row, 'containers') || this.anyClaims(row, 'initContainers');
  }

  private anyClaims(row: Row, member: 'containers' | 'initContainers'): boolean {
    const containers = rowsIn(row[member]);
    for (let i = 0; i < containers.length; i++) {
      const resources = containers[i].resources as JsonObject | undefined;
      if (isAbsent(resources) || isAbsent(resources.claims)) continue;
      if (list(resources.claims, `${this.specPath}.${member}[${i}].resources.claims`).length > 0) return true;
    }
    return false;
  }
}

function decodeHostPorts(raw: unknown, path: string): readonly HostPort[] {
  const ports = objects(raw, path, (port, at) => ({
    ip: text(port.hostIP, `${at}.hostIP`),
    port: integer(port.hostPort, `${at}.hostPort`) ?? 0,
    protocol: text(port.protocol, `${at}.protocol`),
  }));
  const taken = ports.filter((each) => each.port !== 0);
  return taken.length === 0 ? NO_PORTS : taken;
}
