import { flag, type OptionsOf } from './flag.ts';
import { durationFlag } from './flag-values.ts';
import { UsageError } from './usage-error.ts';

/** Which API server, with which credentials; by default as kubectl. */
export type ConnectionOptions = Partial<OptionsOf<ReturnType<typeof connectionFlags>>>;

/** `seconds`: the default request timeout. */
export function connectionFlags(seconds = 15) {
  return [
    flag(
      '--kubeconfig <file>',
      'Kubeconfig file (default: KUBECONFIG, ~/.kube/config or the service account of the pod)',
    ),
    flag('--context <name>', 'Kubeconfig context (default: the current context)'),
    flag('--request-timeout <duration>', 'API response timeout', timeout, seconds * 1000, `${seconds}s`),
  ];
}

/** For commands that were given files. */
export function refuseCluster({ kubeconfig, context }: ConnectionOptions): void {
  if (kubeconfig !== undefined || context !== undefined)
    throw new UsageError('-f reads files, --kubeconfig and --context a cluster: give one or the other');
}

/** Milliseconds. Longer timers of Node fire at once. */
export const timeout = durationFlag({ least: '1ms', most: '500h', example: '30s' });
