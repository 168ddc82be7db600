import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { ClusterView } from '../../src/controller/cluster-port.ts';
import { HttpClient } from '../../src/live/http-client.ts';
import { LiveCluster } from '../../src/live/live-cluster.ts';

/** Of the pod that changes last. */
const LAST_PHASE = 'Failed';

const HELP = `npm run bench:live [-- options]

Processor time and memory of following a cluster: its lists, then pods that change. The API server is a made-up one on
loopback, in a process of its own.

  --nodes N          how many (default 9000)
  --pods-per-node N  how many on each, DaemonSets' not counted (default 18)
  --events N         pods that change (default 20000)
`;

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '9000' },
    'pods-per-node': { type: 'string', default: '18' },
    events: { type: 'string', default: '20000' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else await measure();

async function measure(): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      '--max-old-space-size=4096',
      fileURLToPath(new URL('./api-server.ts', import.meta.url)),
      values.nodes,
      values['pods-per-node'],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = await once(createInterface(child.stdout), 'line');
  const { port, bytes, pods } = JSON.parse(line);
  process.stdout.write(`${pods} pods, ${(bytes / 1e6).toFixed(0)} MB of JSON in all\n`);
  const client = new HttpClient({ server: new URL(`http://127.0.0.1:${port}`), credentials: async () => ({}) });
  const cluster = new LiveCluster({ client, loadCatalog: async () => ({ types: [], origin: { name: 'none' } }) });
  try {
    await figures('everything listed', async () => {
      cluster.start();
      return viewOf(cluster, () => true);
    });
    await figures(`${values.events} pods changed`, async () => {
      await client.request({ method: 'GET', path: '/burst', query: { events: values.events } });
      return viewOf(cluster, ({ objects }) => objects.pods.some(({ phase }) => phase === LAST_PHASE));
    });
  } finally {
    await cluster.stop();
    child.kill();
  }
}

async function viewOf(cluster: LiveCluster, holds: (view: ClusterView) => boolean): Promise<ClusterView> {
  for (;;) {
    const view = cluster.view();
    if (view !== undefined && holds(view)) return view;
    await sleep(250);
  }
}

async function figures(what: string, work: () => Promise<ClusterView>): Promise<void> {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  const { objects } = await work();
  const { user, system } = process.cpuUsage(before);
  const wall = (performance.now() - startedMs) / 1000;
  const { rss, heapUsed } = process.memoryUsage();
  const peak = (process.resourceUsage().maxRSS * 1024) / 1e6;
  process.stdout.write(
    `${what}: ${objects.pods.length} pods on ${objects.nodes.length} nodes; ${((user + system) / 1e6).toFixed(1)} s CPU, ` +
      `${wall.toFixed(1)} s; ${(rss / 1e6).toFixed(0)} MB resident (peak ${peak.toFixed(0)}), ${(heapUsed / 1e6).toFixed(0)} MB heap\n`,
  );
}
