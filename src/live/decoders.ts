import type { PodObject } from '../engine/cluster/objects.ts';
import { DaemonSetDecoder } from '../kube/decode/daemon-set.ts';
import { NodeDecoder } from '../kube/decode/node.ts';
import { NodeClaimDecoder } from '../kube/decode/node-claim.ts';
import { PodDecoder } from '../kube/decode/pod.ts';
import { PodTemplateDecoder } from '../kube/decode/pod-template.ts';
import { WorkloadDecoder } from '../kube/decode/workload.ts';
import { ObjectReader } from './object-reader.ts';

/** What turns bytes into engine objects, with all that it remembers so that equal parts become the same object. */
export class Decoders {
  readonly reader = new ObjectReader();
  readonly pods = new PodDecoder();
  readonly nodes = new NodeDecoder();
  readonly nodeClaims = new NodeClaimDecoder();
  readonly daemonSets = new DaemonSetDecoder();
  readonly workloads = new WorkloadDecoder();
  readonly podTemplates = new PodTemplateDecoder('template', false);
}

/** A cluster's pods come and go, and what is remembered of them would grow for ever. */
const MOST_OBJECTS = 300_000;

/**
 * Decoders, and new ones when the old have seen enough. Objects made by different ones do not share their parts, which
 * costs some memory and time and changes no answer.
 */
export class RenewedDecoders {
  private decoders = new Decoders();

  get current(): Decoders {
    if (this.decoders.reader.count > MOST_OBJECTS) this.decoders = new Decoders();
    return this.decoders;
  }
}

/** Classes of pods that do not say their priority themselves, as those made before the API server filled it in. */
export const priorityClassOfPod = new WeakMap<PodObject, string>();
