import { catalogOf, clusterObjects } from './cluster.ts';
import { dressPod } from './dressed-pod.ts';
import type { ClusterParameters } from './parameters.ts';

/** As `kubectl get -A -o json` prints. */
const INDENT = 4;

/**
 * The cluster as kubectl writes it: one List, indented, and pods with all that pods have apart from
 * what decides about them. There are no instance types in it, and no time.
 */
export async function* kubectlDumpText(p: ClusterParameters): AsyncGenerator<string> {
  const catalog = await catalogOf(p);
  yield '{\n    "apiVersion": "v1",\n    "items": [';
  let separator = '\n';
  for (const object of clusterObjects(p, catalog)) {
    const text = JSON.stringify(object.kind === 'Pod' ? dressPod(object) : object, undefined, INDENT);
    yield `${separator}        ${text.replaceAll('\n', '\n        ')}`;
    separator = ',\n';
  }
  yield '\n    ],\n    "kind": "List",\n    "metadata": {\n        "resourceVersion": ""\n    }\n}\n';
}
