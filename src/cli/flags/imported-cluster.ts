import { flag } from './flag.ts';
import { percentage } from './flag-values.ts';
import { inputFlags } from './input.ts';

/** The flags that name the cluster with which a simulation starts; `loadImportedCluster` reads it. */
export const IMPORTED_CLUSTER_FLAGS = [
  ...inputFlags('or give --kubeconfig or --context'),
  flag(
    '--wave <percent>',
    'Daily swing of Deployment replicas, in percent (with -f or --context)',
    percentage('a percentage above 0%, up to 100%, such as 30%', (p) => p > 0 && p <= 100),
  ),
  flag(
    '--growth <percent>',
    'Daily growth of Deployment replicas, in percent; negative to shrink (with -f or --context)',
    percentage('a percentage from -100% to 1000%, such as 5%', (p) => p >= -100 && p <= 1000),
  ),
];
