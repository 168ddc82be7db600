/** Objects that scenarios put into a cluster, short enough to be read at a glance. */

export interface PodOptions {
  readonly cpu: string;
  readonly memory?: string;
  /** At most one per node. */
  readonly apart?: boolean;
  /** As evenly over the zones as can be. */
  readonly acrossZones?: boolean;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface DeploymentOptions extends PodOptions {
  readonly replicas: number;
}

export function deployment(name: string, { replicas, ...pod }: DeploymentOptions): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: { replicas, selector: { matchLabels: { app: name } }, template: podTemplate(name, pod) },
  };
}

/** In kube-system, so that the default namespace holds only what is scaled. */
export function daemonSet(name: string, pod: PodOptions): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: 'kube-system' },
    spec: { selector: { matchLabels: { app: name } }, template: podTemplate(name, pod) },
  };
}

function podTemplate(name: string, options: PodOptions): object {
  const { cpu, memory = '128Mi', apart = false, acrossZones = false, nodeSelector, annotations } = options;
  const labels = { app: name };
  const labelSelector = { matchLabels: labels };
  const antiAffinity = [{ topologyKey: 'kubernetes.io/hostname', labelSelector }];
  return {
    metadata: { labels, annotations },
    spec: {
      terminationGracePeriodSeconds: 0,
      nodeSelector,
      affinity: apart
        ? { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: antiAffinity } }
        : undefined,
      topologySpreadConstraints: acrossZones
        ? [
            {
              maxSkew: 1,
              topologyKey: 'topology.kubernetes.io/zone',
              whenUnsatisfiable: 'DoNotSchedule',
              labelSelector,
            },
          ]
        : undefined,
      containers: [{ name: 'main', image: 'none', resources: { requests: { cpu, memory } } }],
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
