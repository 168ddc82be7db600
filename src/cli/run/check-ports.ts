import { once } from 'node:events';
import { createServer } from 'node:net';
import { cannotListen } from '../dashboard/serve-dashboard.ts';
import { UsageError } from '../flags/usage-error.ts';

/** An address to listen on, and its flags. */
export interface ListenPlan {
  readonly port: number;
  readonly address: string;
  readonly flags: { readonly port: string; readonly address: string };
}

/** Throws UsageError if one cannot listen, or if two use the same port. */
export async function checkPorts(plans: readonly ListenPlan[]): Promise<void> {
  for (const [i, { port, flags }] of plans.entries()) {
    const other = plans.slice(0, i).find((each) => each.port === port && port !== 0);
    if (other !== undefined) throw new UsageError(`${flags.port}: is also the port of ${other.flags.port}`);
  }
  for (const plan of plans) {
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
