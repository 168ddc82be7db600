import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandLine } from './component.ts';
import type { Place } from './place.ts';
import type { ComponentName } from './programs.ts';

export function commandLines(place: Place): Readonly<Record<ComponentName, CommandLine>> {
  const { programs } = place.toolbox;
  const line = (name: ComponentName, flags: readonly string[], env = {}) => ({
    program: programs[name],
    args: flags,
    env,
  });
  return {
    etcd: line('etcd', etcd(place)),
    'kube-apiserver': line('kube-apiserver', apiServer(place)),
    'kube-controller-manager': line('kube-controller-manager', controllerManager(place)),
    'kube-scheduler': line('kube-scheduler', scheduler(place)),
    kwok: line('kwok', kwok(place)),
    karpenter: line('karpenter', [], karpenter(place)),
  };
}

/** Where each says that it is ready. */
export function readinessUrls({ ports }: Place): Readonly<Record<ComponentName, string>> {
  return {
    etcd: `http://127.0.0.1:${ports.etcd}/health`,
    'kube-apiserver': `https://127.0.0.1:${ports.apiServer}/readyz`,
    'kube-controller-manager': `https://127.0.0.1:${ports.controllerManager}/healthz`,
    'kube-scheduler': `https://127.0.0.1:${ports.scheduler}/healthz`,
    kwok: `http://127.0.0.1:${ports.kwok}/healthz`,
    karpenter: `http://127.0.0.1:${ports.karpenterHealth}/readyz`,
  };
}

function etcd({ folder, ports }: Place): string[] {
  const client = `http://127.0.0.1:${ports.etcd}`;
  const peer = `http://127.0.0.1:${ports.etcdPeer}`;
  return [
    '--name=e2e',
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=e2e=${peer}`,
    // The data outlives etcd's process, not the machine: enough for restarts, and much faster.
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
}

function apiServer(place: Place): string[] {
  const { ports, ca, serving, tokenKeys } = place;
  return [
    ...podNetwork(place),
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${ports.apiServer}`,
    '--advertise-address=127.0.0.1',
    // There is no other API server, and loopback is no valid endpoint.
    '--endpoint-reconciler-type=none',
    '--service-cluster-ip-range=10.0.0.0/16',
    '--authorization-mode=RBAC',
    `--client-ca-file=${ca.certFile}`,
    `--tls-cert-file=${serving.certFile}`,
    `--tls-private-key-file=${serving.keyFile}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-signing-key-file=${tokenKeys.privateFile}`,
    `--service-account-key-file=${tokenKeys.publicFile}`,
    '--allow-privileged',
  ];
}

function podNetwork({ folder, podNetwork: udsName }: Place): string[] {
  if (udsName === undefined) return [];
  const file = join(folder, 'egress.json');
  const connection = { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName } } };
  const config = {
    apiVersion: 'apiserver.k8s.io/v1beta1',
    kind: 'EgressSelectorConfiguration',
    egressSelections: [{ name: 'cluster', connection }],
  };
  writeFileSync(file, JSON.stringify(config));
  return [`--egress-selector-config-file=${file}`];
}

function controllerManager(place: Place): string[] {
  return [
    ...kubernetesClient(place, 'kube-controller-manager', place.ports.controllerManager),
    '--use-service-account-credentials',
    `--service-account-private-key-file=${place.tokenKeys.privateFile}`,
    `--root-ca-file=${place.ca.certFile}`,
    // KWOK renews the leases of all nodes; on a busy machine late, and no node dies of that.
    '--node-monitor-grace-period=10m',
  ];
}

function scheduler(place: Place): string[] {
  return kubernetesClient(place, 'kube-scheduler', place.ports.scheduler);
}

function kubernetesClient(place: Place, name: 'kube-controller-manager' | 'kube-scheduler', port: number): string[] {
  const kubeconfig = place.kubeconfigs[name];
  return [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--tls-cert-file=${place.serving.certFile}`,
    `--tls-private-key-file=${place.serving.keyFile}`,
    '--leader-elect=false',
    // The default of 20 to 50 is for clusters of many; here it would be what tests wait for.
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
  ];
}

/** Karpenter's provider only creates Node objects; KWOK makes them Ready and pods Running. */
function kwok({ ports, toolbox, kubeconfigs }: Place): string[] {
  return [
    `--kubeconfig=${kubeconfigs.kwok}`,
    `--config=${toolbox.stages}`,
    '--manage-all-nodes=false',
    '--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake',
    '--node-port=0',
    // Renewed every minute: without leases the controllers hold every node for dead after their grace period.
    '--node-lease-duration-seconds=240',
    `--server-address=127.0.0.1:${ports.kwok}`,
  ];
}

function karpenter({ ports, kubeconfigs, instanceTypes, karpenterEnv }: Place): Record<string, string> {
  return {
    KUBECONFIG: kubeconfigs.karpenter,
    KUBERNETES_MIN_VERSION: '1.19.0-0',
    SYSTEM_NAMESPACE: 'kube-system',
    DISABLE_LEADER_ELECTION: 'true',
    HEALTH_PROBE_PORT: `${ports.karpenterHealth}`,
    METRICS_PORT: `${ports.karpenterMetrics}`,
    INSTANCE_TYPES_FILE_PATH: instanceTypes,
    ...karpenterEnv,
  };
}
