/** Services of a few sizes whose replicas follow the day, ten pods to a node or so; an agent and an hourly report. */
export function wavyWorkload(nodes: number): string {
  const copies = (share: number) => Math.max(1, Math.round((nodes * share) / 10));
  return `
name: wavy
nodePools:
  - metadata: { name: default }
    spec:
      template:
        spec:
          expireAfter: Never
          requirements:
            - { key: karpenter.k8s.aws/instance-family, operator: In, values: [m6a, c6a, r6a] }
            - { key: karpenter.k8s.aws/instance-cpu, operator: In, values: ["2", "4", "8"] }
            - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
      disruption: { consolidateAfter: 1m, budgets: [{ nodes: 10% }] }
apps:
  - kind: Deployment
    name: front
    copies: ${copies(1.6)}
    requests: { cpu: 600m, memory: 1500Mi }
    replicas: { base: 20, wave: { amplitude: 12, peakHour: 14, weekend: 0.6 } }
    pdb: { maxUnavailable: 25% }
  - kind: Deployment
    name: service
    copies: ${copies(1.6)}
    requests: { cpu: 300m, memory: 2Gi }
    replicas: { base: 14, wave: { amplitude: 7, peakHour: 15, weekend: 0.7 } }
    pdb: { maxUnavailable: 1 }
  - kind: Deployment
    name: api
    copies: ${copies(1)}
    requests: { cpu: "1", memory: 2Gi }
    replicas: { base: 8, wave: { amplitude: 3, peakHour: 13 } }
    spec:
      topologySpreadConstraints:
        - { topologyKey: topology.kubernetes.io/zone, maxSkew: 1, whenUnsatisfiable: DoNotSchedule }
  - kind: CronJob
    name: report
    every: 1h
    pods: ${Math.max(1, Math.round(nodes / 20))}
    runTime: 5m..12m
    requests: { cpu: "1", memory: 2Gi }
  - kind: DaemonSet
    name: agent
    requests: { cpu: 100m, memory: 200Mi }
`;
}
