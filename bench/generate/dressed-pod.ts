import type { KubeObject } from './kube-object.ts';

interface PodSpec {
  readonly containers: readonly object[];
}

/**
 * A pod with some of what real ones have and no decision depends on. Whole ones are two or three times
 * as long; this much makes 100,000 of them the 300 MB that the goal is about. managedFields are not
 * among it: kubectl leaves them out unless it is asked for them.
 */
export function dressPod(pod: KubeObject): KubeObject {
  const spec = pod.spec as PodSpec;
  return {
    ...pod,
    spec: {
      ...spec,
      containers: spec.containers.map((container) => ({
        ...container,
        env: [
          { name: 'POD', value: pod.metadata.name },
          // Braces, brackets and quotes in strings: a splitter that counts them must know strings.
          { name: 'OPTIONS', value: '{"retries": [1, 2, 4], "note": "as \\"before\\""}' },
        ],
        volumeMounts: [{ mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', name: 'token', readOnly: true }],
      })),
      schedulerName: 'default-scheduler',
      terminationGracePeriodSeconds: 30,
    },
  };
}
