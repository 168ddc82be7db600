import { join } from 'node:path';
import { build } from 'esbuild';

export interface PageTexts {
  readonly script: string;
  readonly style: string;
}

/** What there is to be bundled: the page of a server, and those of files, with the engine or without. */
export const PAGES = ['main', 'report', 'plan-report'] as const;
export type PageName = (typeof PAGES)[number];

/** One script and one style sheet of the page's sources, with all that they import. */
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
