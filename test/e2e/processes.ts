import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTEN = '0A';

/** Local addresses on which a process accepts TCP connections, as Linux tells. */
export function listeningAddresses(pid: number): readonly string[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const inode = linkOf(`/proc/${pid}/fd/${fd}`).match(/^socket:\[(\d+)\]$/)?.[1];
      return inode === undefined ? [] : [inode];
    }),
  );
  return ['tcp', 'tcp6'].flatMap((family) =>
    readFileSync(`/proc/${pid}/net/${family}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === LISTEN && sockets.has(fields[9]!))
      .map((fields) => addressOf(fields[1]!)),
  );
}

/** `0100007F:1F90` is 127.0.0.1:8080; of IPv6 only that it is something else matters. */
function addressOf(local: string): string {
  const hex = local.split(':')[0]!;
  return hex.length === 8
    ? hex
        .match(/../g)!
        .map((byte) => Number.parseInt(byte, 16))
        .reverse()
        .join('.')
    : hex;
}

/** Processes that have a file of the folder open. */
export function processesUsing(folder: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => filesOf(pid).some((file) => file.startsWith(folder)));
}

function filesOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
  } catch {
    return []; // Ended meanwhile, or not ours.
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // Closed meanwhile.
  }
}
