import { type Command, InvalidArgumentError, Option } from 'commander';
import { duration } from '../../config/switch-kinds.ts';
import { UsageError } from './usage-error.ts';

/** Which API server, and as whom; unless given, as kubectl would. */
export interface ConnectionOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Milliseconds. */
  readonly requestTimeout?: number;
}

const USUAL_SECONDS = 15;

/** `seconds`: how long a silent API server is waited for unless told. */
export function addConnectionOptions(command: Command, seconds = USUAL_SECONDS): Command {
  return command
    .addOption(
      new Option('--kubeconfig <file>', 'instead of KUBECONFIG, ~/.kube/config or the service account of the pod'),
    )
    .addOption(new Option('--context <name>', 'of the kubeconfig, instead of its current one'))
    .addOption(
      new Option('--request-timeout <duration>', 'give up an API server that is silent for so long')
        .argParser(milliseconds)
        .default(seconds * 1000, `${seconds}s`),
    );
}

/** Where files are given. */
export function refuseCluster({ kubeconfig, context }: ConnectionOptions): void {
  if (kubeconfig !== undefined || context !== undefined)
    throw new UsageError('-f reads files, --kubeconfig and --context a cluster: give one or the other');
}

/** What timers can wait for; beyond, they fire at once. */
const LONGEST_MS = 500 * 3_600_000;

export function milliseconds(text: string): number {
  const ms = duration.read(text) ?? 0;
  if (ms > 0 && ms <= LONGEST_MS) return ms;
  throw new InvalidArgumentError('allowed: a duration in h, m and s such as 30s, above 0s and up to 500h.');
}
