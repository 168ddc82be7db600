/** Kinds for `kubectl get`, which every cluster with Karpenter has: a plan needs most of them, simulations all. */
export const KUBECTL_KINDS =
  'nodes,pods,nodepools,nodeclaims,pdb,ds,pv,pvc,sc,csinodes,ns,deploy,rs,sts,jobs,cronjobs,hpa';
