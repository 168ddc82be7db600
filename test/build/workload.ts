/** A workload file, restless enough to be consolidated within half an hour, small enough to be simulated in no time. */
export const TINY_WORKLOAD = `
name: tiny
nodePools:
  - metadata: { name: default }
    spec:
      template:
        spec:
          nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
          requirements:
            - { key: karpenter.k8s.aws/instance-family, operator: In, values: [m6a] }
            - { key: karpenter.k8s.aws/instance-cpu, operator: In, values: ["2", "4"] }
            - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
      disruption: { consolidateAfter: 30s }
apps:
  - kind: Deployment
    name: web
    requests: { cpu: 900m, memory: 1Gi }
    replicas: { base: 2, every: 30s, noise: 1, steps: [{ after: 10m, replicas: 12 }, { after: 20m, replicas: 3 }] }
`;
