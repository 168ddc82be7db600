import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { run } from '../../src/cli/program.ts';

interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Never the cluster of the user who runs the tests. */
const SURROUNDINGS = { FORCE_COLOR: undefined, KUBECONFIG: '/nowhere', XDG_CONFIG_HOME: '/nowhere' };

let last: Promise<unknown> = Promise.resolve();

/**
 * The command line as in a pipe: no terminal, no colours. It runs in this process, with streams of its own, one command after
 * the other: a process each would spend most of its time on loading the program.
 */
export function decant(
  args: readonly string[],
  stdin: string | Buffer = '',
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const finished = last.then(() => runHere(args, stdin, { ...SURROUNDINGS, ...env }));
  last = finished.catch(() => {});
  return finished;
}

async function runHere(
  args: readonly string[],
  stdin: string | Buffer,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finished> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([buffer(stdout), buffer(stderr)]);
  const streams = { stdin: Readable.from([Buffer.from(stdin)], { objectMode: false }), stdout, stderr };
  const restore = [withStreams(streams), withEnvironment(env)];
  const { exitCode } = process;
  process.exitCode = undefined;
  try {
    await run([process.execPath, 'decant', ...args]);
    const code = Number(process.exitCode ?? 0);
    stdout.end();
    stderr.end();
    const [out, err] = await printed;
    return { code, stdout: out.toString(), stderr: err.toString() };
  } finally {
    process.exitCode = exitCode;
    for (const back of restore) back();
  }
}

/** Gives the process these streams; the result takes them back. */
function withStreams(streams: Readonly<Record<string, unknown>>): () => void {
  const before = Object.keys(streams).map((key) => [key, Object.getOwnPropertyDescriptor(process, key)!] as const);
  for (const [key, value] of Object.entries(streams))
    Object.defineProperty(process, key, { value, configurable: true, enumerable: true, writable: true });
  return () => {
    for (const [key, descriptor] of before) Object.defineProperty(process, key, descriptor);
  };
}

/** As `withStreams`, for variables; undefined: it is not set. */
function withEnvironment(env: Readonly<Record<string, string | undefined>>): () => void {
  const set = (values: readonly (readonly [string, string | undefined])[]) => {
    for (const [key, value] of values) {
      if (value === undefined) delete process.env[key];
      else process.env[key] = value;
    }
  };
  const before = Object.keys(env).map((key) => [key, process.env[key]] as const);
  set(Object.entries(env));
  return () => set(before);
}
