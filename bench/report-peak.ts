/** Preloaded into a process: at its end, its processor time and highest resident memory as a last line. */
import { writeSync } from 'node:fs';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(1, `\n@peak ${(userCPUTime + systemCPUTime) / 1000} ${(maxRSS * 1024) / 1e6}\n`);
});
