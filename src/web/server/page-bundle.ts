import { join } from 'node:path';
import { build } from 'esbuild';
import { bundledPackages, licenceNotices } from './licence-notices.ts';

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
