import { type Command, Option } from 'commander';

/** Which API server, and as whom; unless given, as kubectl would. */
export interface ConnectionOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

export function addConnectionOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--kubeconfig <file>', 'instead of KUBECONFIG, ~/.kube/config or the service account of the pod'),
    )
    .addOption(new Option('--context <name>', 'of the kubeconfig, instead of its current one'));
}
