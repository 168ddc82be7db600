// The picture of docs/dashboard.md: node test/browser/make-picture.ts
import { join } from 'node:path';
import { startDecant } from '../build/served.ts';
import { openBrowser } from './open-browser.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const served = await startDecant(['serve', '-f', join(ROOT, 'examples', 'forty-nodes.json.gz')]);
const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(served.url);
  await page.getByText(/^Saves \$/).waitFor();
  // The picture is drawn once the answer with the plan is there.
  await page.getByText('replaced', { exact: true }).first().waitFor();
  await page.screenshot({ path: join(ROOT, 'docs', 'dashboard.png') });
} finally {
  await browser.close();
  await served.stop();
}
