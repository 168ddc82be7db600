import { setImmediate as turn } from 'node:timers/promises';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { RunningConstraints } from '../../src/engine/scheduling/running-constraints.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { controllerOn } from '../../test/build/run-controller.ts';

/** As in `decant run`. */
const SLICE_MS = 25;

/** Processor time of a first pass of the controller, and the longest part of it in which Lease and probes have no turn. */
export async function turnsOf(cluster: ClusterObjects): Promise<string> {
  const port = new FakeCluster({});
  const begunMs = cpuMs();
  let [resumedMs, longestMs] = [begunMs, 0];
  const { pods, setAside } = new RunningConstraints().limit(cluster.pods);
  port.objects = { ...cluster, pods, undecodable: [...cluster.undecodable, ...setAside] };
  const pause = () => {
    longestMs = Math.max(longestMs, cpuMs() - resumedMs);
  };
  const controller = controllerOn(port, {
    mode: 'observe',
    work: undefined,
    async yieldToOthers() {
      if (cpuMs() - resumedMs < SLICE_MS) return;
      pause();
      await turn();
      resumedMs = cpuMs();
    },
  });
  const report = await controller.reconcile();
  pause();
  if (report.pass === undefined) throw new Error(`no pass: ${report.idle?.code}`);
  return `${Math.round(cpuMs() - begunMs)} ms, ${Math.round(longestMs)} ms`;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
