import type { PodObject } from '../engine/cluster/objects.ts';
import { DaemonSetDecoder } from '../kube/decode/daemon-set.ts';
import { NodeDecoder } from '../kube/decode/node.ts';
import { NodeClaimDecoder } from '../kube/decode/node-claim.ts';
import { PodDecoder } from '../kube/decode/pod.ts';
import { PodTemplateDecoder } from '../kube/decode/pod-template.ts';
import { WorkloadDecoder } from '../kube/decode/workload.ts';
import { ObjectReader } from './object-reader.ts';

/** Decoders with caches that make equal parts the same object. */
export class Decoders {
  readonly reader = new ObjectReader();
  readonly pods = new PodDecoder();
  readonly nodes = new NodeDecoder();
  readonly nodeClaims = new NodeClaimDecoder();
  readonly daemonSets = new DaemonSetDecoder();
  readonly workloads = new WorkloadDecoder();
  readonly podTemplates = new PodTemplateDecoder('template', false);
}

/** Pods come and go; without a limit the caches would grow forever. */
const MOST_OBJECTS = 300_000;

/**
 * Replaces decoders after a number of objects. Objects of different decoders do not share parts, which costs some
 * memory and time and changes no result.
 */
export class RenewedDecoders {
  private decoders = new Decoders();

  get current(): Decoders {
    if (this.decoders.reader.count > MOST_OBJECTS) this.decoders = new Decoders();
    return this.decoders;
  }
}

/** Priority classes of pods without a priority value, as those created before the API server filled it in. */
export const priorityClassOfPod = new WeakMap<PodObject, string>();
