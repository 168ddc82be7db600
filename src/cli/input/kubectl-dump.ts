/** Kinds for `kubectl get`, which every cluster with Karpenter has: a plan needs most of them, simulations all. */
export const KUBECTL_KINDS =
  'nodes,pods,nodepools,nodeclaims,pdb,ds,pv,pvc,sc,csinodes,ns,deploy,rs,sts,jobs,cronjobs,hpa';

/** Its command, in lines of at most 80 characters; a shell joins them. */
export const KUBECTL_GET = `kubectl get -A -o json ${KUBECTL_KINDS.replace(',csinodes', ',\\\ncsinodes')}`;
