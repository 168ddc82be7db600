import { parseWorkload } from '../../src/cli/experiment/load-workload.ts';
import { CALM } from '../../src/lab/built-in-policies.ts';
import { controllerFor, policyCluster } from '../../src/lab/policy-cluster.ts';
import { ControlledCluster } from '../../src/simulator/controlled-cluster.ts';
import { wavyWorkload } from '../simulator/wavy-workload.ts';
import { LeakWatch, steered } from './leak-watch.ts';
import { slope } from './slope.ts';

/** Shares of the controller's writes. */
const FAULTS = { lost: 0.02, unacknowledged: 0.02, repeated: 0.02 };
const NODES = 100;

/** Virtual days under the policy calm, with faults. Returns what is left behind. */
export async function simulatedSoak(days: number, say: (line: string) => void): Promise<readonly string[]> {
  const scenario = await parseWorkload(wavyWorkload(NODES), 'soak');
  const { attended } = policyCluster(scenario, CALM, { seed: 1, faults: FAULTS });
  const { cluster } = attended;
  const watch = new LeakWatch();
  const heaps: [day: number, megabytes: number][] = [];
  let mostCommands = 0;
  await attended.run(days, Math.ceil(24 * days), (share) => {
    const view = cluster.view();
    watch.look(view);
    mostCommands = Math.max(mostCommands, view.commands.length);
    heaps.push([share * days, heapMegabytes()]);
    return false;
  });
  // A controller that does not steer removes what another has left on pods and nodes.
  const last = controllerFor(cluster, { ...CALM, switches: { ...CALM.switches, steer: 'false' } });
  await new ControlledCluster(cluster, last).run(1 / 24, 2, () => {
    watch.look(cluster.view());
    return false;
  });
  const { evictions, nodesLaunched } = cluster.ledger.summary();
  const steady = heaps.filter(([day]) => day >= 1);
  say(`${days} virtual days, ${cluster.world.nodes.size} nodes and ${cluster.world.pods.size} pods at the end`);
  say(`${nodesLaunched} nodes launched, ${evictions} evictions, at most ${mostCommands} commands kept`);
  say(
    `heap: ${steady[0]?.[1].toFixed(1)} MB after a day, ${steady.at(-1)?.[1].toFixed(1)} MB at the end, ${slope(steady).toFixed(2)} MB a day`,
  );
  return [...watch.leaks, ...steered(cluster.view())];
}

function heapMegabytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}
