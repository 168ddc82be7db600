import { flag, type OptionsOf } from './flag.ts';
import { port } from './flag-values.ts';

/** The flags of every command that serves a dashboard. */
export const LISTEN_FLAGS = [
  flag(
    '--port <number>',
    'Port of the dashboard; 0 picks a free port (default: 8090, or a free port if that is taken)',
    port,
  ),
  flag(
    '--bind-address <address>',
    'Listen address, such as 0.0.0.0; requests then need a token and TLS (default: this machine only)',
  ),
  flag('--token-file <file>', 'File with the token that requests need (default: a new token, which is printed)'),
  flag('--tls-cert-file <file>', 'Certificate, with its chain; read again when it changes'),
  flag('--tls-key-file <file>', 'Key of the certificate'),
  flag('--plain-http', 'Serve without TLS beyond this machine, for a proxy that encrypts'),
];

export type ListenFlags = OptionsOf<typeof LISTEN_FLAGS>;
