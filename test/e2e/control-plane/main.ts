// npm run e2e:cluster: a control plane until Ctrl-C.
import { existsSync, readFileSync } from 'node:fs';
import { ControlPlane } from './control-plane.ts';

const startedMs = performance.now();
const plane = await ControlPlane.start({ say: (line) => process.stderr.write(`${line}\n`) });
process.stderr.write(`ready after ${((performance.now() - startedMs) / 1000).toFixed(1)} s\n`);
for (const [name, component] of plane.components) {
  process.stderr.write(`  ${name.padEnd(24)} ${residentMiB(component.pid)} MiB  ${component.logFile}\n`);
}
process.stderr.write('Ctrl-C ends it and removes its files\n');
process.stdout.write(`export KUBECONFIG=${plane.kubeconfig}\n`);
setInterval(() => {}, 1 << 30);

function residentMiB(pid: number | undefined): string {
  const status = `/proc/${pid}/status`;
  const found = existsSync(status) ? readFileSync(status, 'utf8').match(/^VmRSS:\s+(\d+) kB$/m) : undefined;
  return (found ? (Number(found[1]) / 1024).toFixed(0) : '?').padStart(4);
}
