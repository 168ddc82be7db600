import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { diesWithUs } from './parent-death.ts';
import { PACKAGES, type Program } from './programs.ts';

export async function buildProgram(source: string, program: Program, target: string): Promise<void> {
  const version = 'k8s.io/component-base/version';
  const release = requiredVersion(source, 'k8s.io/kubernetes');
  const [major, minor] = release.slice(1).split('.');
  // Without these the API server calls itself v0.0.0-master, and clients take it for an old one.
  const stamps = [`gitVersion=${release}`, `gitMajor=${major}`, `gitMinor=${minor}`].map((s) => `-X ${version}.${s}`);
  await buildPackage(source, PACKAGES[program], target, stamps);
}

/** At the lowest priority and one package at a time: other work goes on meanwhile. */
export async function buildPackage(source: string, name: string, target: string, linking: readonly string[] = []) {
  const flags = [
    '-p',
    '1',
    '-trimpath',
    '-buildvcs=false',
    '-mod=readonly',
    '-ldflags',
    ['-s -w', ...linking].join(' '),
  ];
  await go(source, ['build', ...flags, '-o', target, name]);
}

/** Where Go keeps the sources of a module that build/go.mod requires. */
export async function moduleFolder(source: string, module: string): Promise<string> {
  await go(source, ['mod', 'download', module]);
  return (await go(source, ['list', '-m', '-f', '{{.Dir}}', module])).trim();
}

export function readAll(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

function requiredVersion(source: string, module: string): string {
  const found = readFileSync(join(source, 'go.mod'), 'utf8').match(new RegExp(`^\\s*${module} (v\\S+)$`, 'm'));
  if (!found) throw new Error(`go.mod requires no ${module}`);
  return found[1]!;
}

function go(source: string, args: readonly string[]): Promise<string> {
  const toolchain = `go${readFileSync(join(source, 'go.mod'), 'utf8').match(/^go (\S+)$/m)![1]}`;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const [file, ...rest] = diesWithUs(['nice', '-n', '19', 'go', ...args]);
  const child = spawn(file, rest, {
    cwd: source,
    // An older Go fetches the one that Karpenter asks for.
    env: { ...process.env, GOTOOLCHAIN: toolchain, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.on('error', reject);
  child.on('close', (code) => {
    if (code === 0) resolve(stdout);
    else if (code === 127) reject(new Error('the control plane is built with Go: https://go.dev/dl (1.21 or later)'));
    else reject(new Error(`go ${args[0]} failed:\n${stderr.slice(-4000)}`));
  });
  return promise;
}
