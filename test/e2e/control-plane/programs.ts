/** What a control plane is made of, and the Go package of each, as build/go.mod pins them. */
export const PACKAGES = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
  kwok: 'sigs.k8s.io/kwok/cmd/kwok',
  karpenter: './karpenter',
} as const;

export type Program = keyof typeof PACKAGES;

/** A program that runs as long as the control plane does. */
export type ComponentName = Exclude<Program, 'kubectl'>;
