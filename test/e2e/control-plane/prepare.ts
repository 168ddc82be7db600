// Before npm run test:e2e: builds what is absent, where its progress can be seen.
import { fillToolbox } from './toolbox.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

await fillToolbox(say).catch((error: Error) => {
  say(`control plane: ${error.message}`);
  process.exitCode = 1;
});
