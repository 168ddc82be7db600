import type { NamespaceObject, WorkloadObject } from '../../engine/cluster/objects.ts';
import { nothingLeft, type Written, writeObject } from './metadata.ts';
import { writeTemplate } from './pod-template.ts';

const API_VERSIONS: Readonly<Record<string, string>> = { ReplicationController: 'v1', Job: 'batch/v1' };

export function writeWorkload(workload: WorkloadObject): Written {
  const { kind, namespace, name, uid, owners, replicas, readyReplicas, template, ...rest } = workload;
  nothingLeft(rest);
  const counts =
    kind === 'Job'
      ? { spec: { parallelism: replicas }, status: { ready: readyReplicas } }
      : { spec: { replicas, template: template && writeTemplate(template) }, status: { readyReplicas } };
  return writeObject(API_VERSIONS[kind] ?? 'apps/v1', kind, { namespace, name, uid, owners }, counts);
}

export function writeNamespace({ name, labels, ...rest }: NamespaceObject): Written {
  nothingLeft(rest);
  return writeObject('v1', 'Namespace', { name, labels });
}
