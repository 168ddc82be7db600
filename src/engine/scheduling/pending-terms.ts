import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { PodConstraints, PodObject } from '../cluster/objects.ts';
import { isProvisionable } from '../cluster/pods.ts';

/**
 * Affinity, anti-affinity and spread terms that the pending pods of one namespace may bring into simulations. Each may count
 * every pod of the cluster, and every simulation places every pending pod: without a limit, one user could stall all passes.
 */
export const MOST_PENDING_TERMS = 1_000;

/** Admits pending pods to simulations until those of their namespace have too many different terms. */
export class PendingTerms {
  private readonly admitted = new Map<string, Set<PodConstraints>>();
  private readonly terms = new Map<string, number>();

  /** Pods with the same constraints cost as much as one. */
  admits({ namespace, constraints }: PodObject): boolean {
    const own = termsOf(constraints);
    if (own === 0) return true;
    const admitted = getOrInsert(this.admitted, namespace, () => new Set());
    if (admitted.has(constraints)) return true;
    const terms = own + (this.terms.get(namespace) ?? 0);
    if (terms > MOST_PENDING_TERMS) return false;
    this.terms.set(namespace, terms);
    admitted.add(constraints);
    return true;
  }
}

/** Pending pods that no simulation places, by namespace. */
export function podsNotAdmitted(pods: readonly PodObject[]): ReadonlyMap<string, number> {
  const terms = new PendingTerms();
  const out = new Map<string, number>();
  for (const pod of pods)
    if (pod.nodeName === '' && isProvisionable(pod) && !terms.admits(pod))
      out.set(pod.namespace, 1 + (out.get(pod.namespace) ?? 0));
  return out;
}

/** Affinity, anti-affinity and spread terms. */
export function termsOf(c: PodConstraints): number {
  return (
    c.requiredAffinity.length +
    c.preferredAffinity.length +
    c.requiredAntiAffinity.length +
    c.preferredAntiAffinity.length +
    c.topologySpread.length
  );
}

/** How often constraints can be relaxed; each time, the terms that are left are tried again. */
export function relaxationsOf(c: PodConstraints): number {
  return (
    (c.requiredNodeTerms?.length ?? 1) -
    1 +
    c.preferredNodeTerms.length +
    c.preferredAffinity.length +
    c.preferredAntiAffinity.length +
    c.topologySpread.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway').length
  );
}
