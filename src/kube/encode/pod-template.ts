import type { PodTemplate, PodTemplateObject } from '../../engine/cluster/objects.ts';
import { nothingLeft, unlessEmpty, type Written, writeObject } from './metadata.ts';
import { writePodSpec } from './pod-spec.ts';

export function writeTemplate(
  { labels, requests, constraints, ...rest }: PodTemplate,
  annotations: Written = {},
): Written {
  nothingLeft(rest);
  return {
    metadata: { labels: unlessEmpty(labels), annotations: unlessEmpty(annotations) },
    spec: writePodSpec(requests, constraints),
  };
}

export function writePodTemplate({ namespace, name, ...template }: PodTemplateObject): Written {
  return writeObject('v1', 'PodTemplate', { namespace, name }, { template: writeTemplate(template) });
}
