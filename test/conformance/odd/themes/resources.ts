import { addDaemon, container } from '../apps.ts';
import type { AppDraft, Draft } from '../draft.ts';
import type { Pod, Quantities } from '../shapes.ts';
import type { Theme } from '../theme.ts';

const GPU = 'example.com/gpu';

/** Requests in every form: init containers, sidecars, pod level, overhead, resize, devices, huge pages. */
export const resources: Theme = {
  catalog(d) {
    for (const t of d.types) {
      const r = d.random;
      if (t.cpu >= 4 && r.chance(0.35)) t.extra[GPU] = r.pick(['1', '2', '4']);
      if (r.chance(0.15)) t.extra['hugepages-2Mi'] = `${r.pick([64, 128, 256])}Mi`;
      // More huge pages than memory: nothing is left of it.
      if (r.chance(0.02)) t.extra['hugepages-2Mi'] = `${t.memoryMi + 1024}Mi`;
      if (r.chance(0.3)) t.extra['ephemeral-storage'] = '20Gi';
      if (r.chance(0.2))
        t.allocatable = {
          cpu: `${t.cpu * 1000 - r.pick([60, 80, 210])}m`,
          memory: `${t.memoryMi - r.pick([200, 500, 700])}Mi`,
          pods: String(t.pods),
        };
    }
  },
  daemons(d) {
    if (d.random.chance(0.5))
      addDaemon(d, 'device-plugin', {
        containers: [container(30, 64)],
        initContainers: [container(200, 256, 'init')],
        tolerations: [{ operator: 'Exists' }],
      });
  },
  apps(d) {
    for (const app of d.apps) shape(d, app);
  },
};

function shape(d: Draft, app: AppDraft): void {
  const r = d.random;
  const spec = app.spec;
  const main = spec.containers[0];
  if (!main) return;
  if (r.chance(0.2)) spec.containers.push(container(r.pick([10, 50, 150]), r.pick([16, 64, 256]), 'second'));
  if (r.chance(0.25)) spec.initContainers = [container(r.pick([100, 500, 2000]), r.pick([64, 512, 2048]), 'init')];
  if (r.chance(0.25)) {
    spec.initContainers = [
      ...(spec.initContainers ?? []),
      { ...container(r.pick([50, 100]), r.pick([64, 128]), 'side'), restartPolicy: 'Always' },
      ...(r.chance(0.5) ? [container(r.pick([200, 800]), 128, 'late-init')] : []),
    ];
  }
  if (r.chance(0.15)) spec.overhead = { cpu: '120m', memory: '96Mi' };
  if (r.chance(0.15))
    spec.resources = {
      requests: r.pick<Quantities>([{ cpu: '700m' }, { cpu: '300m', memory: '1Gi' }, { memory: '640Mi' }]),
    };
  if (r.chance(0.15)) main.resources = { limits: { cpu: '400m', memory: '512Mi' } };
  if (r.chance(0.1)) main.resources = {};
  if (r.chance(0.1)) main.resources = { requests: { cpu: '0.25', memory: '500M' } };
  if (r.chance(0.12)) device(app, GPU, r.pick(['1', '2']));
  if (r.chance(0.06)) device(app, 'hugepages-2Mi', '64Mi');
  if (r.chance(0.12)) device(app, 'ephemeral-storage', r.pick(['2Gi', '8Gi']));
  if (r.chance(0.03)) device(app, 'example.com/unknown', '1');
  if (r.chance(0.02)) device(app, 'example.com/zero', '0');
  if (r.chance(0.15)) app.onPod.push((pod) => resize(d, pod));
}

function device(app: AppDraft, name: string, amount: string): void {
  const main = app.spec.containers[0];
  if (!main) return;
  main.resources = {
    requests: { ...main.resources.requests, [name]: amount },
    limits: { ...main.resources.limits, [name]: amount },
  };
  app.admits.push((n, pods) => {
    const has = n.node?.status.allocatable[name];
    const used = pods.filter(
      (p) => p.spec.nodeName === n.name && p.spec.containers.some((c) => c.resources.requests?.[name] !== undefined),
    ).length;
    return has !== undefined && used === 0;
  });
}

/** A container being resized in place: what is asked, allocated and actual differ. */
function resize(d: Draft, pod: Pod): void {
  const r = d.random;
  if (pod.spec.nodeName === undefined) return;
  const amounts = () => ({ cpu: `${r.pick([100, 300, 900])}m`, memory: `${r.pick([64, 256, 700])}Mi` });
  pod.status.containerStatuses = pod.spec.containers.map((c) => ({
    name: c.name,
    ready: true,
    restartCount: 0,
    image: c.image,
    imageID: '',
    allocatedResources: amounts(),
    resources: { requests: amounts() },
  }));
  if (r.chance(0.3))
    pod.status.conditions.push({
      type: 'PodResizePending',
      status: 'True',
      reason: r.pick(['Infeasible', 'Deferred']),
    });
  else if (r.chance(0.4)) pod.status.conditions.push({ type: 'PodResizeInProgress', status: 'True' });
}
