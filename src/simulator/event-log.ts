import { podName } from './sim-pod.ts';
import type { World } from './world.ts';

/** Writes every event as a line: milliseconds since the start, event, object. */
export function logEvents(world: World, write: (line: string) => void): void {
  const { startMs } = world.scenario;
  const line = (what: string, ...who: readonly string[]) => write(`${world.nowMs - startMs} ${what} ${who.join(' ')}`);
  world.listeners.push({
    appScaled: ({ app, desired }) => line('scaled', `${app.namespace}/${app.name}`, String(desired)),
    podCreated: (pod) => line('pod-created', podName(pod)),
    podUnschedulable: (pod) => line('pod-unschedulable', podName(pod)),
    podBound: (pod, node) => line('pod-bound', podName(pod), node.name),
    podReady: (pod) => line('pod-ready', podName(pod)),
    podStopping: (pod, cause) => line('pod-stopping', podName(pod), cause),
    podGone: (pod) => line('pod-gone', podName(pod)),
    nodeLaunched: (n) => line('node-launched', n.name, n.type.name, n.zone, n.capacityType, n.price.toFixed(4)),
    nodeReady: (node) => line('node-ready', node.name),
    nodeDeleting: (node) => line('node-deleting', node.name, node.removal ?? ''),
    nodeGone: (node) => line('node-gone', node.name),
    launchFailed: (claim) => line('launch-failed', claim.name),
    pricesChanged: () => line('prices-changed'),
  });
}
