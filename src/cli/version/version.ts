import { COMMAND_RESOURCE } from '../../config/command-object.ts';
import { runningKarpenter } from '../../engine/running-karpenter.ts';
import { type ApiClient, absentOn, connect } from '../../live/api-client.ts';
import { karpenterDeployments } from '../../live/karpenter-deployment.ts';
import { schemaBeside } from '../../live/karpenter-schema.ts';
import { packageVersion } from '../../live/package-version.ts';
import { documentText } from '../output/document-text.ts';
import { EXIT } from '../output/exit.ts';
import { print } from '../output/terminal-text.ts';
import type { VersionOptions } from './flags.ts';

interface Versions {
  readonly decant: string;
  readonly kubernetes?: string;
  /** By namespace/name of its Deployment; none: it runs elsewhere, or not at all. */
  readonly karpenter?: Readonly<Record<string, string>>;
  /** Served versions by custom resource; empty: it is not installed. */
  readonly customResources?: Readonly<Record<string, readonly string[]>>;
}

export async function versionCommand(options: VersionOptions): Promise<number> {
  const decant = packageVersion();
  const show = async (versions: Versions) =>
    print(options.output === 'text' ? text(versions) : await documentText(versions, options.output));
  if (options.client) {
    await show({ decant });
    return EXIT.ok;
  }
  try {
    await show({ decant, ...(await ofCluster(await connect(options))) });
  } catch (error) {
    // As kubectl does: what is known, then why the rest is not.
    await show({ decant });
    throw error;
  }
  return EXIT.ok;
}

const CUSTOM_RESOURCES = [
  ['NodePool', 'karpenter.sh', 'nodepools'],
  ['NodeClaim', 'karpenter.sh', 'nodeclaims'],
  ['ConsolidationPolicy', COMMAND_RESOURCE.group, 'consolidationpolicies'],
  ['ConsolidationCommand', COMMAND_RESOURCE.group, COMMAND_RESOURCE.plural],
] as const;

async function ofCluster(client: ApiClient): Promise<Omit<Versions, 'decant'>> {
  const { gitVersion } = await client.request<{ gitVersion: string }>({ method: 'GET', path: '/version' });
  const served = await Promise.all(CUSTOM_RESOURCES.map(([, group, plural]) => servedVersions(client, group, plural)));
  return {
    kubernetes: gitVersion,
    karpenter: await karpenterVersions(client),
    customResources: Object.fromEntries(CUSTOM_RESOURCES.map(([kind], i) => [kind, served[i]])),
  };
}

async function karpenterVersions(client: ApiClient): Promise<Record<string, string>> {
  const deployments = await karpenterDeployments(client);
  const schema = await schemaBeside(client, deployments);
  if (schema !== undefined) return { 'by its CRDs': runningKarpenter([], schema)?.version ?? 'unknown' };
  return Object.fromEntries(
    deployments.map(({ namespace, name, karpenter }) => [`${namespace}/${name}`, karpenter?.version ?? 'unknown']),
  );
}

async function servedVersions(client: ApiClient, group: string, plural: string): Promise<readonly string[]> {
  const path = `/apis/${group}`;
  const asked = client.request<{ versions: readonly { version: string }[] }>({ method: 'GET', path });
  const { versions = [] } = (await absentOn([404], asked)) ?? {};
  const lists = await Promise.all(versions.map(({ version }) => hasResource(client, group, version, plural)));
  return versions.flatMap(({ version }, i) => (lists[i] ? [version] : []));
}

async function hasResource(client: ApiClient, group: string, version: string, plural: string): Promise<boolean> {
  const { resources } = await client.request<{ resources: readonly { name: string }[] }>({
    method: 'GET',
    path: `/apis/${group}/${version}`,
  });
  return resources.some(({ name }) => name === plural);
}

function text({ decant, kubernetes, karpenter, customResources }: Versions): string {
  const lines = [`decant      ${decant}`];
  if (kubernetes !== undefined) lines.push(`kubernetes  ${kubernetes}`);
  if (karpenter !== undefined) {
    const found = Object.entries(karpenter).map(([name, version]) => `${version} (${name})`);
    lines.push(`karpenter   ${found.length === 0 ? 'no Deployment found' : found.join(', ')}`);
  }
  for (const [kind, versions] of Object.entries(customResources ?? {}))
    lines.push(`${kind}: ${versions.length === 0 ? 'not installed' : versions.join(', ')}`);
  return `${lines.join('\n')}\n`;
}
