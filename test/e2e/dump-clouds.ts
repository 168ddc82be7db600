/** Clouds whose clusters are dumped: what Karpenter may launch there, and how nodes of other origin are labelled. */
export interface Cloud {
  readonly region: string;
  readonly zones: readonly string[];
  /** Name, cpus, GiB, dollars an hour on demand. */
  readonly types: readonly (readonly [name: string, cpu: number, gib: number, price: number])[];
  /** Labels of nodes that Karpenter does not manage. */
  readonly nodeGroup: Readonly<Record<string, string>>;
  readonly providerId: (zone: string, id: string) => string;
  readonly csiDriver: string;
}

export const CLOUDS: Readonly<Record<string, Cloud>> = {
  aws: {
    region: 'eu-west-1',
    zones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'],
    types: [
      ['m6a.large', 2, 8, 0.0963],
      ['m6a.xlarge', 4, 16, 0.1926],
      ['m6a.2xlarge', 8, 32, 0.3852],
      ['c6a.large', 2, 4, 0.0819],
      ['c6a.xlarge', 4, 8, 0.1638],
      ['c6a.2xlarge', 8, 16, 0.3276],
      ['r6a.large', 2, 16, 0.127],
      ['r6a.xlarge', 4, 32, 0.254],
    ],
    nodeGroup: { 'eks.amazonaws.com/nodegroup': 'system', 'eks.amazonaws.com/capacityType': 'ON_DEMAND' },
    providerId: (zone, id) => `aws:///${zone}/i-0${id}`,
    csiDriver: 'ebs.csi.aws.com',
  },
  azure: {
    region: 'westeurope',
    zones: ['westeurope-1', 'westeurope-2', 'westeurope-3'],
    types: [
      ['Standard_D2s_v5', 2, 8, 0.115],
      ['Standard_D4s_v5', 4, 16, 0.23],
      ['Standard_D8s_v5', 8, 32, 0.46],
      ['Standard_F4s_v2', 4, 8, 0.194],
      ['Standard_E4s_v5', 4, 32, 0.304],
    ],
    nodeGroup: { 'kubernetes.azure.com/agentpool': 'system', 'kubernetes.azure.com/mode': 'system' },
    providerId: (_, id) =>
      `azure:///subscriptions/x/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/${id}`,
    csiDriver: 'disk.csi.azure.com',
  },
  gcp: {
    region: 'europe-west1',
    zones: ['europe-west1-b', 'europe-west1-c', 'europe-west1-d'],
    types: [
      ['e2-standard-2', 2, 8, 0.0737],
      ['e2-standard-4', 4, 16, 0.1474],
      ['e2-standard-8', 8, 32, 0.2948],
      ['n2-standard-4', 4, 16, 0.2137],
      ['n2-highmem-4', 4, 32, 0.2882],
    ],
    nodeGroup: { 'cloud.google.com/gke-nodepool': 'system', 'cloud.google.com/machine-family': 'e2' },
    providerId: (zone, id) => `gce://project/${zone}/gke-system-${id}`,
    csiDriver: 'pd.csi.storage.gke.io',
  },
};

/** As KWOK's provider reads them. */
export function kwokTypes({ types, zones }: Cloud): object[] {
  return types.map(([name, cpu, gib, price]) => ({
    name,
    architecture: 'amd64',
    operatingSystems: ['linux'],
    resources: { cpu: String(cpu), memory: `${gib}Gi`, 'ephemeral-storage': '20Gi', pods: '58' },
    offerings: zones.flatMap((zone) =>
      [
        ['on-demand', price],
        ['spot', price * 0.4],
      ].map(([capacityType, each]) => ({
        Price: each,
        Available: true,
        Requirements: [
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: [capacityType] },
          { key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] },
        ],
      })),
    ),
  }));
}
