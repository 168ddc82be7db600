import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const pages = globSync(['*.md', 'docs/*.md', 'designs/*.md', 'bench/*.md', 'deploy/**/*.md', 'test/**/*.md'], {
  cwd: root,
});

/** The anchors that GitHub makes of a page's headings. */
function anchors(page: string): Set<string> {
  const text = readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test('every relative link in a page leads to a file, and its anchor to a heading', () => {
  const broken: string[] = [];
  let seen = 0;
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8');
    for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      seen += 1;
      const [path, anchor] = link.split('#');
      const target = path === '' ? join(root, page) : resolve(root, dirname(page), path);
      if (!existsSync(target)) broken.push(`${page}: ${link}: no such file`);
      else if (anchor && target.endsWith('.md') && !anchors(target).has(anchor))
        broken.push(`${page}: ${link}: no such heading`);
    }
  }
  assert.ok(seen > 50, `only ${seen} links were found`);
  assert.deepEqual(broken, []);
});
