import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPackage } from '../control-plane/go-build.ts';
import { cacheFolder } from '../control-plane/toolbox.ts';

/** Programs that check the chart and the alert rules. They take long to build, so that tests do without if they are absent. */
const PACKAGES = {
  helm: 'helm.sh/helm/v3/cmd/helm',
  promtool: 'github.com/prometheus/prometheus/cmd/promtool',
} as const;

export type Tool = keyof typeof PACKAGES;
export const TOOLS = Object.keys(PACKAGES) as readonly Tool[];

/** The program, if it has been built. */
export function builtTool(tool: Tool): string | undefined {
  const path = join(folderOf(tool), tool);
  return existsSync(path) ? path : undefined;
}

export async function buildTool(tool: Tool): Promise<string> {
  const folder = folderOf(tool);
  const aside = join(folder, `.${tool}.${process.pid}`);
  await mkdir(folder, { recursive: true });
  await buildPackage(sourceOf(tool), PACKAGES[tool], aside);
  await rename(aside, join(folder, tool));
  return join(folder, tool);
}

function sourceOf(tool: Tool): string {
  return join(import.meta.dirname, tool);
}

/** Of its own for each set of versions. */
function folderOf(tool: Tool): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(sourceOf(tool), file)));
  return cacheFolder('tools', `${tool}-${hash.digest('hex').slice(0, 12)}`);
}
