// Before npm run test:e2e: builds what is absent, where its progress can be seen.
import { fillToolbox } from './toolbox.ts';

await fillToolbox((line) => process.stderr.write(`${line}\n`));
