import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Subject {
  readonly user: string;
  readonly groups?: readonly string[];
}

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Signs for one control plane and lives in its folder. Kubernetes reads a user from CN and groups from O. */
export class CertificateAuthority {
  readonly certFile: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.certFile = join(folder, 'ca.crt');
  }

  static async create(folder: string): Promise<CertificateAuthority> {
    const ca = new CertificateAuthority(folder);
    const key = await writeKey(join(folder, 'ca.key'));
    await openssl('req', '-x509', '-new', '-key', key, '-subj', '/CN=decant-e2e', '-days', DAYS, '-out', ca.certFile);
    return ca;
  }

  /** Serves on loopback, and names a client: the API server is one to etcd and to KWOK. */
  async issue(name: string, { user, groups = [] }: Subject): Promise<Certificate> {
    const path = (ending: string) => join(this.#folder, `${name}.${ending}`);
    const keyFile = await writeKey(path('key'));
    const subject = [...groups.map((group) => `/O=${group}`), `/CN=${user}`].join('');
    await openssl('req', '-new', '-key', keyFile, '-subj', subject, '-out', path('csr'));
    await writeFile(path('ext'), EXTENSIONS);
    const signing = ['-CA', this.certFile, '-CAkey', join(this.#folder, 'ca.key'), '-set_serial', serial()];
    const certFile = path('crt');
    await openssl(
      'x509',
      '-req',
      '-in',
      path('csr'),
      ...signing,
      '-days',
      DAYS,
      '-extfile',
      path('ext'),
      '-out',
      certFile,
    );
    return { certFile, keyFile };
  }

  read(): Buffer {
    return readFileSync(this.certFile);
  }
}

const DAYS = '30';
const EXTENSIONS = [
  'basicConstraints = CA:FALSE',
  'keyUsage = digitalSignature',
  'extendedKeyUsage = serverAuth, clientAuth',
  'subjectAltName = IP:127.0.0.1, DNS:localhost, DNS:kubernetes, DNS:kubernetes.default.svc',
].join('\n');

/** With this the API server signs tokens of service accounts. */
export async function writeTokenKeys(
  folder: string,
): Promise<{ readonly privateFile: string; readonly publicFile: string }> {
  const { privateKey, publicKey } = keyPair();
  const privateFile = join(folder, 'service-accounts.key');
  const publicFile = join(folder, 'service-accounts.pub');
  await writeFile(privateFile, privateKey, { mode: 0o600 });
  await writeFile(publicFile, publicKey);
  return { privateFile, publicFile };
}

async function writeKey(path: string): Promise<string> {
  await writeFile(path, keyPair().privateKey, { mode: 0o600 });
  return path;
}

function keyPair(): { readonly privateKey: string; readonly publicKey: string } {
  return generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

/** Positive, and never the same twice: several are signed at once. */
function serial(): string {
  return `0x01${randomBytes(8).toString('hex')}`;
}

async function openssl(...args: readonly string[]): Promise<void> {
  await run('openssl', args);
}
