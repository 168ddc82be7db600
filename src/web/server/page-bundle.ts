import { join } from 'node:path';
import { build } from 'esbuild';

export interface PageTexts {
  readonly script: string;
  readonly style: string;
}

/** Entry points: the server's page, and reports with and without the engine. */
export const PAGES = ['main', 'report', 'plan-report'] as const;
export type PageName = (typeof PAGES)[number];

/** Bundles the page into one script and one style sheet. */
export async function bundlePage(folder: string, page: PageName): Promise<PageTexts> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, `${page}.tsx`)],
    outdir: folder,
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
  });
  const text = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { script: text('.js'), style: text('.css') };
}
