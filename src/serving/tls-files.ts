import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import { CONNECTION_CHECK } from './connection-limits.ts';

/** Paths of a certificate with its chain and of its key, as a Secret of type kubernetes.io/tls is mounted. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A client has this long to agree on a key. */
const HANDSHAKE_MS = 5_000;
/** The kubelet takes up to a minute to bring a new Secret. */
const RELOAD_MS = 10_000;

/** Throws the system's error, or OpenSSL's if they are no certificate and its key. */
export function readCertificate(files: TlsFiles): Certificate {
  const certificate = { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') };
  createSecureContext(certificate);
  return certificate;
}

/** A server whose new connections use what the files hold; while that is unusable, what they held before. */
export function createTlsServer(files: TlsFiles, warn: (problem: string) => void): Server {
  let current = readCertificate(files);
  let warned = '';
  const server = createServer({ ...CONNECTION_CHECK, ...current, handshakeTimeout: HANDSHAKE_MS });
  const timer = setInterval(() => {
    try {
      const next = readCertificate(files);
      if (next.cert !== current.cert || next.key !== current.key) server.setSecureContext(next);
      current = next;
      warned = '';
    } catch (error) {
      const problem = `${files.cert}, ${files.key}: ${(error as Error).message}; the previous certificate stays in use`;
      if (problem !== warned) warn(problem);
      warned = problem;
    }
  }, RELOAD_MS).unref();
  server.on('close', () => clearInterval(timer));
  return server;
}
