import { once } from 'node:events';
import { createServer } from 'node:net';
import { cannotListen } from './listen-options.ts';
import { UsageError } from './usage-error.ts';

/** Where somebody is going to listen, and by which flags. */
export interface ListenPlan {
  readonly port: number;
  readonly address: string;
  readonly flags: { readonly port: string; readonly address: string };
}

/** Throws UsageError where one of them could not listen, or two of them at the same place. */
export async function checkPorts(plans: readonly ListenPlan[]): Promise<void> {
  const taken: ListenPlan[] = [];
  for (const plan of plans) {
    const other = taken.find(({ port }) => port === plan.port && port !== 0);
    if (other !== undefined) throw new UsageError(`${plan.flags.port}: is that of ${other.flags.port} too`);
    taken.push(plan);
    const server = createServer();
    try {
      await once(server.listen(plan.port, plan.address), 'listening');
    } catch (error) {
      throw cannotListen(error as NodeJS.ErrnoException, plan.flags);
    } finally {
      server.close();
    }
  }
}
