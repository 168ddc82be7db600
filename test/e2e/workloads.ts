/** Objects that scenarios put into a cluster, short enough to be read at a glance. */

export interface DeploymentOptions {
  readonly replicas: number;
  readonly cpu: string;
  readonly memory?: string;
  /** At most one per node. */
  readonly apart?: boolean;
  readonly nodeSelector?: Readonly<Record<string, string>>;
}

export function deployment(name: string, options: DeploymentOptions): object {
  const { replicas, cpu, memory = '128Mi', apart = false, nodeSelector } = options;
  const labels = { app: name };
  const affinity = {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: labels } },
      ],
    },
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 0,
          nodeSelector,
          affinity: apart ? affinity : undefined,
          containers: [{ name: 'main', image: 'none', resources: { requests: { cpu, memory } } }],
        },
      },
    },
  };
}

export function disruptionBudget(app: string, maxUnavailable: number): object {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: app, namespace: 'default' },
    spec: { maxUnavailable, selector: { matchLabels: { app } } },
  };
}
