import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './chromium.ts';

/** Headless, without a sandbox, because tests may run as root in a container. */
export async function openBrowser(): Promise<Browser> {
  const { executable, env } = await findChromium();
  return chromium.launch({
    executablePath: executable,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    env: { ...process.env, ...env } as Record<string, string>,
  });
}
