import { adoptPool } from '../../adoption/adopt-pool.ts';
import type { Adoption, AdoptionObject, ConsolidationPolicy, MergePatch } from '../../adoption/adoption.ts';
import { UsageError } from '../flags/usage-error.ts';
import { EXIT } from '../output/exit.ts';
import { complain, print } from '../output/terminal-text.ts';
import type { AdoptOptions } from './flags.ts';
import { readAdoptionObjects } from './input.ts';
import { patchCommand, renderAdoptions, stateText, yamlText } from './render.ts';

/** Exit code 1: no pool can be adopted. */
export async function adoptCommand(names: readonly string[], options: AdoptOptions): Promise<number> {
  const objects = await readAdoptionObjects(options.file ?? [], options);
  const policies = objects.filter(({ kind }) => kind === 'ConsolidationPolicy');
  const adoptions = chosen(objects, names).map((pool) => adoptPool(pool, policies));
  const asked = options.giveBack
    ? 'giveBack'
    : options.handOver || options.output === 'text'
      ? 'handOver'
      : options.profile;
  const leftOut = adoptions.filter((adoption) => adoption[asked] === undefined);
  print(printed(adoptions, options));
  if (options.output !== 'text' || options.handOver || options.giveBack) {
    for (const { pool, state } of leftOut) complain(`NodePool/${pool} is left out: ${stateText(state)}`);
  }
  return leftOut.length === adoptions.length ? EXIT.no : EXIT.ok;
}

const OBJECT_NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

function chosen(objects: readonly AdoptionObject[], names: readonly string[]): readonly AdoptionObject[] {
  const pools = objects.filter(({ kind }) => kind === 'NodePool').sort((a, b) => (a.name < b.name ? -1 : 1));
  if (pools.length === 0) throw new UsageError('nothing to adopt: no NodePool of karpenter.sh in the input');
  // Names go into commands for a shell.
  const odd = pools.find(({ name }) => !OBJECT_NAME.test(name));
  if (odd !== undefined) throw new UsageError(`NodePool/${odd.name}: not a valid Kubernetes name`);
  const twice = pools.find(({ name }, i) => name === pools[i + 1]?.name);
  if (twice !== undefined) throw new UsageError(`NodePool/${twice.name}: given twice`);
  const unknown = names.find((name) => !pools.some((pool) => pool.name === name));
  if (unknown !== undefined) {
    throw new UsageError(`NodePool/${unknown}: not found; the NodePools are ${pools.map((p) => p.name).join(', ')}`);
  }
  return names.length === 0 ? pools : pools.filter(({ name }) => names.includes(name));
}

function printed(adoptions: readonly Adoption[], { profile, handOver, giveBack, output }: AdoptOptions): string {
  if (handOver || giveBack) return patches(adoptions, handOver ? 'handOver' : 'giveBack', output);
  if (output === 'text') return renderAdoptions(adoptions);
  const policies = adoptions.flatMap((adoption): ConsolidationPolicy[] => {
    const policy = adoption[profile];
    return policy === undefined ? [] : [policy];
  });
  if (output === 'yaml') return policies.map(yamlText).join('---\n');
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: policies }, null, 2)}\n`;
}

function patches(adoptions: readonly Adoption[], which: 'handOver' | 'giveBack', output: AdoptOptions['output']) {
  const all = adoptions.flatMap(({ pool, [which]: patch }): { nodePool: string; patch: MergePatch }[] => {
    return patch === undefined ? [] : [{ nodePool: pool, patch }];
  });
  if (output === 'text') return all.map(({ nodePool, patch }) => `${patchCommand(nodePool, patch)}\n`).join('');
  return output === 'yaml' ? yamlText(all) : `${JSON.stringify(all, null, 2)}\n`;
}
