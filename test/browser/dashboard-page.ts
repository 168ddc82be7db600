import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Subject } from '../../src/web/analysis/subject.ts';
import type { DashboardSource } from '../../src/web/server/dashboard-source.ts';
import { loadPage, type PageFiles } from '../../src/web/server/page-files.ts';
import { fileSource, startServer } from '../build/web-server.ts';

let bundled: Promise<PageFiles> | undefined;

/** The real page over this cluster. */
export async function serve(
  subject: Subject,
  {
    port = 0,
    token,
    source = {},
  }: { readonly port?: number; readonly token?: string; readonly source?: Partial<DashboardSource> } = {},
) {
  bundled ??= loadPage();
  const served = await startServer({ ...fileSource(subject), ...source }, { page: await bundled, port, token });
  // Longer than a plan may take would be no page's fault.
  while (served.dashboard.state().planning.state !== 'ready') await new Promise((resolve) => setTimeout(resolve, 20));
  return served;
}

const SCREENSHOTS = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'screenshots');
/** Machines under load are slow, and nothing here is about speed. */
const PATIENCE_MS = 60_000;

/** One tab, and everything that it had to complain about. */
export class DashboardPage {
  readonly page: Page;
  /** What addresses begin with. */
  private readonly home: string;
  private readonly complaints: string[] = [];
  private readonly foreignRequests: string[] = [];

  private constructor(page: Page, url: URL) {
    this.page = page;
    // A report is one file, and its views are behind the #.
    this.home = url.protocol === 'file:' ? `${url.href}#` : url.origin;
    const own = url.protocol === 'file:' ? url.href : `${url.origin}/`;
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('request', (request) => {
      const asked = request.url();
      if (!asked.startsWith(own) && !asked.startsWith('data:')) this.foreignRequests.push(asked);
    });
  }

  static async open(browser: Browser, url: URL, options: BrowserContextOptions = {}): Promise<DashboardPage> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    return new DashboardPage(page, url);
  }

  /** Until the view shows what it has to show. */
  async visit(path: string): Promise<void> {
    await this.page.goto(`${this.home}${path}`);
    await this.settled();
  }

  async settled(): Promise<void> {
    await this.page.locator('main h1').first().waitFor();
    await this.page.waitForFunction(() => !/Loading |Looking for a plan|Pricing…/.test(document.body.innerText));
  }

  async text(): Promise<string> {
    return this.page.locator('body').innerText();
  }

  /** Kept with the other artefacts of a run. */
  async keepPicture(name: string): Promise<void> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  }

  assertQuiet(): void {
    assert.deepEqual(this.complaints, [], 'the console is silent');
    assert.deepEqual(this.foreignRequests, [], 'no request to other origins');
  }

  /** What a lost server may leave in the console is the browser's own word for it. */
  forgive(complaint: RegExp): void {
    const others = this.complaints.filter((text) => !complaint.test(text));
    this.complaints.splice(0, this.complaints.length, ...others);
  }

  /** By axe: WCAG 2 A and AA, contrast included. */
  async assertAccessible(): Promise<void> {
    // By the debugger's way, which the page's own policy does not concern.
    await this.page.evaluate(axe.source);
    const found = await this.page.evaluate(async () => {
      const { axe: there } = window as unknown as { axe: typeof axe };
      const { violations } = await there.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).slice(0, 3)}`);
    });
    assert.deepEqual(found, []);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}
