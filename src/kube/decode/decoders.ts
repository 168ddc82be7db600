import { DaemonSetDecoder } from './daemon-set.ts';
import { NodeDecoder } from './node.ts';
import { NodeClaimDecoder } from './node-claim.ts';
import { PodDecoder } from './pod.ts';
import { PodTemplateDecoder } from './pod-template.ts';
import { WorkloadDecoder } from './workload.ts';

/** Decoders with caches that make equal parts the same object. */
export class Decoders {
  readonly pods = new PodDecoder();
  readonly nodes = new NodeDecoder();
  readonly nodeClaims = new NodeClaimDecoder();
  readonly daemonSets = new DaemonSetDecoder();
  readonly workloads = new WorkloadDecoder();
  readonly podTemplates = new PodTemplateDecoder('template', false);
}
