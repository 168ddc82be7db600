import { existsSync } from 'node:fs';

const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path));

/** A command that the kernel ends when we end, even if we are killed without a chance to clean up (Linux). */
export function diesWithUs(command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  return SETPRIV === undefined ? command : [SETPRIV, '--pdeathsig', 'KILL', '--', ...command];
}
