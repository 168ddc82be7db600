import { addDaemon, container } from '../apps.ts';
import type { Draft, NodeDraft } from '../draft.ts';
import { CPU } from '../names.ts';
import type { Pod, PodSpec, Port } from '../shapes.ts';
import type { Theme } from '../theme.ts';
import { requireTerms } from './requirements.ts';

/** Host ports: several protocols and addresses, taken by pods and by DaemonSets. */
export const ports: Theme = {
  daemons(d) {
    addDaemon(d, 'port-daemon', portDaemon(9100));
    if (!d.random.chance(0.5)) return;
    const large = portDaemon(8081);
    requireTerms(large, [{ matchExpressions: [{ key: CPU, operator: 'Gt', values: ['4'] }] }]);
    addDaemon(d, 'port-daemon-large', large);
  },
  apps(d) {
    for (const app of d.apps) {
      if (!d.random.chance(0.45)) continue;
      const main = app.spec.containers[0];
      if (main) main.ports = Array.from({ length: d.random.pick([1, 1, 2]) }, (_, i) => port(d, i));
      // Ports of init containers do not count.
      if (d.random.chance(0.15))
        app.spec.initContainers = [{ ...container(10, 16, 'init'), ports: [{ containerPort: 1, hostPort: 8080 }] }];
      app.admits.push((n, pods) => free(n, pods, app.spec));
    }
  },
};

function portDaemon(hostPort: number): PodSpec {
  const main = { ...container(20, 32), ports: [{ containerPort: 80, hostPort, protocol: 'TCP' }] };
  return { containers: [main], tolerations: [{ operator: 'Exists' }] };
}

function port(d: Draft, i: number): Port {
  const r = d.random;
  const p: Port = { containerPort: 8000 + i, hostPort: r.pick([8080, 8080, 8080, 8081, 9090, 9100 + 1000 * i]) };
  if (r.chance(0.7)) p.protocol = r.pick(['TCP', 'TCP', 'UDP']);
  if (r.chance(0.6)) p.hostIP = r.pick(['10.0.0.1', '10.0.0.1', '10.0.0.2', '10.0.0.2', '0.0.0.0', '::', 'fd00::1']);
  if (r.chance(0.05)) delete p.hostPort;
  return p;
}

function free(n: NodeDraft, pods: readonly Pod[], spec: PodSpec): boolean {
  const taken = new Set(
    pods
      .filter((p) => p.spec.nodeName === n.name)
      .flatMap((p) => p.spec.containers.flatMap((c) => c.ports ?? []))
      .map((p) => `${p.hostIP} ${p.hostPort}`),
  );
  return spec.containers.every((c) => (c.ports ?? []).every((p) => !taken.has(`${p.hostIP} ${p.hostPort}`)));
}
