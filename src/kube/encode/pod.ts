import type { DaemonSetObject, PodDisruptionBudgetObject, PodObject } from '../../engine/cluster/objects.ts';
import { DELETION_COST, DISRUPTION_COST, MOVE, SAFE_TO_EVICT, STEERED_COST } from '../../engine/cluster/well-known.ts';
import { nothingLeft, unlessEmpty, unlessNone, type Written, writeObject } from './metadata.ts';
import { writePodSpec } from './pod-spec.ts';
import { writeTemplate } from './pod-template.ts';
import { timeText } from './time-text.ts';

export function writePod(pod: PodObject, nowMs: number): Written {
  const { namespace, name, uid, createdMs, terminating, labels, owners, ...others } = pod;
  const { doNotDisrupt, doNotEvict, safeToEvict, deletionCost, steeredCost, disruptionCost, move, ...more } = others;
  // Virtual pods (capacityBuffer) are created for every simulation and never written.
  const { nodeName, priority, requests, constraints, volumeClaims, localData, capacityBuffer: _, ...status } = more;
  const { phase, startedMs, nominatedNodeName, ready, readyChangedMs, unschedulable, ...rest } = status;
  nothingLeft(rest);
  const annotations = {
    'karpenter.sh/do-not-disrupt': doNotDisrupt,
    'karpenter.sh/do-not-evict': doNotEvict,
    [SAFE_TO_EVICT]: safeToEvict,
    [DELETION_COST]: deletionCost ?? (steeredCost === undefined ? undefined : String(steeredCost)),
    [STEERED_COST]: steeredCost === undefined ? undefined : String(steeredCost),
    [DISRUPTION_COST]: disruptionCost,
    [MOVE]: move,
  };
  const deletedMs = terminating ? nowMs : undefined;
  const conditions = [
    ...(unschedulable ? [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] : []),
    ...(ready === '' ? [] : [writeReady(ready, readyChangedMs)]),
  ];
  const volumes = [
    ...volumeClaims.map((claimName, i) => ({ name: `volume-${i}`, persistentVolumeClaim: { claimName } })),
    ...(localData ?? []).map(({ kind, name: volume }) => ({
      name: volume,
      [kind]: kind === 'hostPath' ? { path: '/' } : {},
    })),
  ];
  return writeObject(
    'v1',
    'Pod',
    { namespace, name, uid, createdMs, deletedMs, labels, annotations, owners },
    {
      spec: {
        nodeName: nodeName || undefined,
        priority,
        ...writePodSpec(requests, constraints),
        volumes: unlessNone(volumes),
      },
      status: unlessEmpty({
        phase: phase || undefined,
        startTime: startedMs === undefined ? undefined : timeText(startedMs),
        nominatedNodeName: nominatedNodeName || undefined,
        conditions: unlessNone(conditions),
      }),
    },
  );
}

function writeReady(status: string, changedMs: number | undefined): Written {
  return { type: 'Ready', status, lastTransitionTime: changedMs === undefined ? undefined : timeText(changedMs) };
}

export function writeDaemonSet(set: DaemonSetObject): Written {
  const { namespace, name, uid, ...template } = set;
  const spec = { template: writeTemplate(template) };
  return writeObject('apps/v1', 'DaemonSet', { namespace, name, uid }, { spec });
}

export function writePodDisruptionBudget(budget: PodDisruptionBudgetObject): Written {
  const { namespace, name, uid, selector, disruptionsAllowed, fullyBlocking, evictsUnhealthy, ...rest } = budget;
  nothingLeft(rest);
  const spec = {
    selector,
    maxUnavailable: fullyBlocking ? 0 : undefined,
    unhealthyPodEvictionPolicy: evictsUnhealthy ? 'AlwaysAllow' : undefined,
  };
  const metadata = { namespace, name, uid };
  return writeObject('policy/v1', 'PodDisruptionBudget', metadata, { spec, status: { disruptionsAllowed } });
}
