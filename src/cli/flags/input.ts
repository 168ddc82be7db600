import { connectionFlags } from './connection.ts';
import { fileFlag, flag, type OptionsOf } from './flag.ts';

/** The flags that name the cluster to read; `loadInput` reads it. */
export function inputFlags(otherwise = 'default: the cluster of the kubeconfig') {
  return [
    fileFlag(`Kubernetes objects or a snapshot: file, folder or - for stdin (repeatable; ${otherwise})`),
    ...connectionFlags(),
    ...catalogFlags(),
    flag('--pods-proxy', PODS_PROXY_HELP),
    flag(
      '--now <time>',
      'Time to decide at, RFC 3339 (default: time of the snapshot, or the newest time in the files)',
    ),
  ];
}

export type InputFlags = Partial<OptionsOf<ReturnType<typeof inputFlags>>>;

/** Where instance types and prices come from. */
export function catalogFlags() {
  return [
    flag(
      '--catalog <name|file>',
      'Instance types and prices: karpenter, a bundled table such as aws/eu-west-1, or a file (default: from the cluster)',
    ),
    flag('--prices <file|url>', 'Karpenter’s metrics, for prices and availability'),
    flag('--zones <names>', 'Zones in which nodes can be launched (default: from the cluster)'),
    ...overlayFlags(),
  ];
}

export function overlayFlags() {
  return [
    flag('--overlay <file>', 'File with price changes, such as savings plans'),
    flag('--unavailable <file>', 'File with offerings that cannot be launched'),
  ];
}

export const PODS_PROXY_HELP = 'Ask Karpenter’s leader for its prices through the API server’s proxy to pods';
