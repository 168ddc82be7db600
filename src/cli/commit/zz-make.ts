import { writeFileSync } from 'node:fs';
import { writeSnapshot } from '../../kube/encode/snapshot.ts';
import { changeLine } from '../../lab/history/recorded-change.ts';
import { HistoryRecorder } from '../../lab/history/recorder.ts';
import { SimulatedCluster } from '../../simulator/simulated-cluster.ts';
import { scenarioOf, workloadsOf } from '../experiment/workloads.ts';
import { jsonLines } from '../snapshot/snapshot.ts';

const [name, days, file, consolidation] = process.argv.slice(2);
const [w] = await workloadsOf([name]);
const scenario = await scenarioOf(w);
const cluster = new SimulatedCluster(scenario, { seed: 1, consolidation: consolidation as 'none' });
const startMs = scenario.startMs + 3600_000;
cluster.advanceTo(startMs);
const out = [...jsonLines(writeSnapshot(cluster.view().objects))];
const recorder = new HistoryRecorder(startMs);
for (let minute = 0; minute <= Number(days) * 1440; minute += 1) {
  cluster.advanceTo(startMs + minute * 60_000);
  const change = recorder.observe(cluster.view().objects);
  if (change !== undefined) out.push(changeLine(change));
}
out.push(changeLine({ t: Number(days) * 86400 }));
writeFileSync(file, out.join(''));
console.log(out.length, 'lines', cluster.view().objects.nodes.length, 'nodes');
