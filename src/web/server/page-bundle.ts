import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

export interface PageTexts {
  readonly script: string;
  readonly style: string;
}

interface BundledPage extends PageTexts {
  /** Folders of the packages in it. */
  readonly packages: readonly string[];
}

/** Entry points: the server's page, and reports with and without the engine. */
export const PAGES = ['main', 'report', 'plan-report'] as const;
export type PageName = (typeof PAGES)[number];

/** Bundles the page into one script, which ends with the licences of the packages in it, and one style sheet. */
export async function bundlePage(folder: string, page: PageName): Promise<BundledPage> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(folder, `${page}.tsx`)],
    outdir: folder,
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
  });
  const text = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const packages = bundledPackages(Object.keys(metafile.inputs));
  return { script: `${text('.js')}${licenceNotices(packages)}`, style: text('.css'), packages };
}

/** The folders of the packages that a bundle was made from, given esbuild's input files. */
function bundledPackages(inputs: Iterable<string>): readonly string[] {
  const folders = new Set<string>();
  for (const input of inputs) {
    const [folder] = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(input) ?? [];
    if (folder !== undefined) folders.add(resolve(folder));
  }
  return [...folders].sort();
}

/** Their licences as one comment: minified files of most packages no longer carry one. */
function licenceNotices(packages: readonly string[]): string {
  const notices = packages.map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${name}: no licence file to keep in the bundle`);
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
  });
  return notices.length === 0 ? '' : `/*! This file contains:\n\n${notices.join('\n\n').replaceAll('*/', '* /')}\n*/\n`;
}
