import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PageName, PageTexts } from './page-bundle.ts';

export const ICON = `<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M2 3h12v3H2zM4 7h8v3H4zM6 11h4v3H6z' fill='%232f7d4f'/%3E%3C/svg%3E">`;

/** Script and style of a page: as built by scripts/build.js, or bundled from a clone in a tenth of a second. */
export async function pageTexts(page: PageName): Promise<PageTexts> {
  if (import.meta.url.endsWith('.ts')) {
    const { bundlePage } = await import('./page-bundle.ts');
    return bundlePage(fileURLToPath(new URL('../page/', import.meta.url)), page);
  }
  const text = (name: string) => readFile(new URL(`../page/${name}`, import.meta.url), 'utf8');
  return { script: await text(`${page}.js`), style: await text(`${page}.css`) };
}
