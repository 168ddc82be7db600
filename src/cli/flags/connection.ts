import { type Command, Option } from 'commander';
import { durationFlag } from './flag-values.ts';
import { UsageError } from './usage-error.ts';

/** Which API server, with which credentials; by default as kubectl. */
export interface ConnectionOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Milliseconds. */
  readonly requestTimeout?: number;
}

const DEFAULT_SECONDS = 15;

/** `seconds`: the default request timeout. */
export function addConnectionOptions(command: Command, seconds = DEFAULT_SECONDS): Command {
  return command
    .addOption(
      new Option(
        '--kubeconfig <file>',
        'Kubeconfig file (default: KUBECONFIG, ~/.kube/config or the service account of the pod)',
      ),
    )
    .addOption(new Option('--context <name>', 'Kubeconfig context (default: the current context)'))
    .addOption(
      new Option('--request-timeout <duration>', 'API response timeout')
        .argParser(timeout)
        .default(seconds * 1000, `${seconds}s`),
    );
}

/** For commands that were given files. */
export function refuseCluster({ kubeconfig, context }: ConnectionOptions): void {
  if (kubeconfig !== undefined || context !== undefined)
    throw new UsageError('-f reads files, --kubeconfig and --context a cluster: give one or the other');
}

/** Longer timers of Node fire at once. */
export const timeout = durationFlag({ least: '1ms', most: '500h', example: '30s' });
