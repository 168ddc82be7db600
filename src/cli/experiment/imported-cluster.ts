import { type ImportedInput, importedCluster } from '../../lab/imported-cluster.ts';
import type { ReplicaTrend } from '../../simulator/imported-scenario.ts';
import { UsageError } from '../flags/usage-error.ts';
import { type InputOptions, loadInput } from '../input/load-input.ts';

/** The cluster that a simulation starts with, and how its load changes over time. */
export interface ImportedClusterOptions extends InputOptions, ReplicaTrend {
  /** A file that `decant record` wrote. */
  readonly replay?: string;
}

/** Whether the options name a cluster: files, or without -f a kubeconfig or a context; or a history. */
export function hasImportedCluster({ file, kubeconfig, context, replay }: ImportedClusterOptions): boolean {
  return file !== undefined || kubeconfig !== undefined || context !== undefined || replay !== undefined;
}

export async function loadImportedCluster(options: ImportedClusterOptions): Promise<ImportedInput> {
  if (options.replay !== undefined) {
    const others = ['file', 'kubeconfig', 'context', 'wave', 'growth'] as const;
    const other = others.find((flag) => options[flag] !== undefined);
    if (other !== undefined)
      throw new UsageError(`--history contains a cluster and its load: it cannot be combined with --${other}`);
    const { loadHistory } = await import('./load-history.ts');
    return loadHistory(options.replay, options);
  }
  const { cluster, notices } = await loadInput(options);
  const { wave, growth } = options;
  const imported = importedCluster(cluster, { wave, growth });
  return { ...imported, notices: [...notices, ...imported.notices] };
}

/** Refuses options that need a cluster of -f or --context. */
export function refuseImportOptions(options: ImportedClusterOptions): void {
  const flags = ['catalog', 'prices', 'overlay', 'unavailable', 'zones', 'now', 'wave', 'growth'] as const;
  const given = flags.find((flag) => options[flag] !== undefined);
  if (given !== undefined) throw new UsageError(`--${given} needs a cluster from -f or --context`);
}
