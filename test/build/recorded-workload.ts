/** A workload file with these apps, on small on-demand nodes: its day is recorded and replayed. */
export function recordedWorkload(apps: string): string {
  return `name: recorded
nodePools:
  - metadata: { name: default }
    spec:
      template:
        spec:
          requirements:
            - { key: node.kubernetes.io/instance-type, operator: In, values: [m6a.large, m6a.xlarge] }
            - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
      disruption: { consolidateAfter: 1m }
apps:
${apps}`;
}
