import type { Cluster } from './cluster.ts';

/** What Karpenter does to a cluster, from the line that it logs. */
export interface DisruptionCommand {
  readonly decision: string;
  readonly reason: string;
  readonly nodes: readonly string[];
  /** Instance types of each. */
  readonly replacements: readonly (readonly string[])[];
}

interface LogLine {
  readonly message: string;
  readonly time: string;
  readonly reason: string;
  readonly decision: string;
  readonly 'disrupted-nodes': readonly { readonly Node: { readonly name: string } }[];
  readonly 'replacement-nodes': readonly unknown[];
}

/** The first one logged after this many characters. */
export async function firstCommand(cluster: Cluster, seen: number): Promise<DisruptionCommand | undefined> {
  const lines = cluster.plane.log('karpenter').slice(seen).split('\n');
  const found = lines.find((line) => line.includes('"disrupting node(s)"') && line.endsWith('}'));
  if (found === undefined) return undefined;
  const line = JSON.parse(found) as LogLine;
  return {
    decision: line.decision,
    reason: line.reason,
    nodes: line['disrupted-nodes'].map(({ Node }) => Node.name),
    replacements: await replacementTypes(cluster, line),
  };
}

/** The line abbreviates them; the NodeClaims made at that moment, or soon after it, have them all. */
async function replacementTypes(cluster: Cluster, line: LogLine): Promise<readonly (readonly string[])[]> {
  const { length: count } = line['replacement-nodes'];
  if (count === 0) return [];
  const aroundMs = Date.parse(line.time) - 5_000;
  const made = await cluster.until('the replacements are created', async () => {
    const claims = await cluster.list('nodeclaims');
    const found = claims.filter(({ metadata }) => Date.parse(metadata.creationTimestamp) >= aroundMs);
    return found.length >= count && found;
  });
  return made.map(
    ({ spec }) => spec.requirements.find(({ key }) => key === 'node.kubernetes.io/instance-type')?.values ?? [],
  );
}
