import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { buildProgram, moduleFolder, readAll } from './go-build.ts';
import { PACKAGES, type Program } from './programs.ts';

const SOURCE = join(import.meta.dirname, 'build');

/** Programs and files that any number of control planes share. Nothing in it changes once it is there. */
export interface Toolbox {
  readonly programs: Readonly<Record<Program, string>>;
  /** Karpenter's CRDs and those of its KWOK provider. */
  readonly crds: string;
  /** How KWOK plays kubelet: nodes become Ready, pods Running, deleted pods go. */
  readonly stages: string;
  /** What the KWOK provider sells unless told otherwise; `decant --catalog` reads the same file. */
  readonly instanceTypes: string;
}

/**
 * Builds what is not in the cache yet: nine minutes on two idle cores, then never again for the same versions.
 * Two runs at once do no harm: everything is made aside and moved into place.
 */
export async function fillToolbox(say: (line: string) => void): Promise<Toolbox> {
  const folder = cacheFolder('control-plane', key());
  const programs = Object.keys(PACKAGES) as Program[];
  const path = (name: string) => join(folder, name);
  const recipes = new Map<string, (target: string) => Promise<void>>([
    ['crds.yaml', writeCrds],
    ['kwok-stages.yaml', writeStages],
    ['instance-types.json', copyInstanceTypes],
    ...programs.map((name) => [name, (target: string) => buildProgram(SOURCE, name, target)] as const),
  ]);
  const absent = [...recipes].filter(([name]) => !existsSync(path(name)));
  await mkdir(folder, { recursive: true });
  for (const [i, [name, produce]] of absent.entries()) {
    say(`control plane: building ${name} (${i + 1} of ${absent.length}, once) …`);
    const startedMs = performance.now();
    const aside = path(`.${name}.${process.pid}`);
    await produce(aside);
    await rename(aside, path(name));
    say(`control plane: ${name} built in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
  }
  return {
    programs: Object.fromEntries(programs.map((name) => [name, path(name)])) as Record<Program, string>,
    crds: path('crds.yaml'),
    stages: path('kwok-stages.yaml'),
    instanceTypes: path('instance-types.json'),
  };
}

/** Where programs are kept that are built once. */
export function cacheFolder(...path: readonly string[]): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'decant', ...path);
}

/** To be raised when something is made in another way from the same sources. */
const RECIPES = 1;

function key(): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${RECIPES}`);
  for (const source of ['go.mod', 'go.sum', 'karpenter/main.go']) hash.update(readFileSync(join(SOURCE, source)));
  return hash.digest('hex').slice(0, 12);
}

async function writeCrds(target: string): Promise<void> {
  const karpenter = await moduleFolder(SOURCE, 'sigs.k8s.io/karpenter');
  const crds = [...readAll(join(karpenter, 'pkg/apis/crds')), ...readAll(join(karpenter, 'kwok/apis/crds'))];
  await writeFile(target, crds.join('\n---\n'));
}

const STAGES = [
  'node/fast/node-initialize.yaml',
  'node/heartbeat-with-lease/node-heartbeat-with-lease.yaml',
  'pod/fast/pod-ready.yaml',
  'pod/fast/pod-complete.yaml',
  'pod/fast/pod-delete.yaml',
];

async function writeStages(target: string): Promise<void> {
  const kwok = await moduleFolder(SOURCE, 'sigs.k8s.io/kwok');
  const stages = STAGES.map((file) => readFileSync(join(kwok, 'kustomize/stage', file), 'utf8'));
  await writeFile(target, stages.join('\n---\n'));
}

async function copyInstanceTypes(target: string): Promise<void> {
  const karpenter = await moduleFolder(SOURCE, 'sigs.k8s.io/karpenter');
  await copyFile(join(karpenter, 'kwok/cloudprovider/instance_types.json'), target);
}
