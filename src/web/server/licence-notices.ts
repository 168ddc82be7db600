import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folders of the packages that a bundle was made from, given esbuild's input files. */
export function bundledPackages(inputs: Iterable<string>): readonly string[] {
  const folders = new Set<string>();
  for (const input of inputs) {
    const [folder] = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(input) ?? [];
    if (folder !== undefined) folders.add(resolve(folder));
  }
  return [...folders].sort();
}

/** Their licences as one comment: minified files of most packages no longer carry one. */
export function licenceNotices(packages: readonly string[]): string {
  const notices = packages.map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${name}: no licence file to keep in the bundle`);
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
  });
  return notices.length === 0 ? '' : `/*! This file contains:\n\n${notices.join('\n\n').replaceAll('*/', '* /')}\n*/\n`;
}
