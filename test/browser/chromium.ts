import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A browser to be started, and what it needs to find its libraries and fonts. */
export interface Chromium {
  readonly executable: string;
  readonly env: Readonly<Record<string, string>>;
}

const ROOT = join(import.meta.dirname, '..', '..');
const PACKAGE = join(ROOT, 'node_modules', '@sparticuz', 'chromium');

/**
 * The Chromium that an npm package brings, for Linux on x64, with its libraries where the system lacks them; elsewhere
 * one that is installed. There is no third way: tests of the page never pass by not being run.
 */
export async function findChromium(): Promise<Chromium> {
  const installed = process.env.DECANT_CHROMIUM;
  if (installed !== undefined && installed !== '') return { executable: installed, env: {} };
  if (process.platform === 'linux' && process.arch === 'x64') return unpacked();
  const executable = INSTALLED.find((path) => existsSync(path));
  if (executable === undefined)
    throw new Error(`no Chromium: there is none at ${INSTALLED.join(', ')}; DECANT_CHROMIUM may name one`);
  return { executable, env: {} };
}

const INSTALLED: readonly string[] = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

async function unpacked(): Promise<Chromium> {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  const folder = join(ROOT, 'node_modules', '.cache', `chromium-${version}`);
  if (!existsSync(folder)) await unpack(folder);
  const executable = join(folder, 'chromium');
  const fonts = { FONTCONFIG_PATH: join(folder, 'fonts') };
  const own = { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') };
  return { executable, env: lacksLibraries(executable) ? { ...fonts, ...own } : fonts };
}

/** Under its name only when complete: several test files begin at once, and a run may be interrupted. */
async function unpack(folder: string): Promise<void> {
  const { inflate } = await import('@sparticuz/chromium');
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const usual = process.env.TMPDIR;
  // The package unpacks to where temporary files go, and nowhere else.
  process.env.TMPDIR = unfinished;
  try {
    for (const pack of ['chromium.br', 'fonts.tar.br', 'al2023.tar.br']) await inflate(join(PACKAGE, 'bin', pack));
  } finally {
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
  }
  writeFileSync(join(unfinished, 'fonts', 'fonts.conf'), fontConfiguration(join(folder, 'fonts')));
  try {
    renameSync(unfinished, folder);
  } catch {
    // Another was quicker.
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** The package's own one looks for its fonts where a Lambda has them. */
function fontConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><dir>/usr/share/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>
`;
}

function lacksLibraries(executable: string): boolean {
  try {
    return execFileSync('ldd', [executable], { encoding: 'utf8' }).includes('not found');
  } catch {
    return true;
  }
}
