import { spawn } from 'node:child_process';
import type { ExecConfig, KubeCluster } from './kubeconfig.ts';

/** The answer of a credential plugin (client.authentication.k8s.io, ExecCredential). */
export interface ExecCredential {
  readonly token?: string;
  readonly clientCertificateData?: string;
  readonly clientKeyData?: string;
  /** undefined: never expires. */
  readonly expiresMs?: number;
}

const VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
/** Time for an interactive login. */
const TIMEOUT_MS = 120_000;

/** Runs the plugin of a kubeconfig's user, such as `aws eks get-token`. */
export async function askPlugin(exec: ExecConfig, cluster: KubeCluster): Promise<ExecCredential> {
  const { apiVersion = VERSIONS[1], command, args, env } = exec;
  if (!VERSIONS.includes(apiVersion))
    throw new Error(`exec plugin ${command}: apiVersion ${apiVersion} is not supported`);
  const interactive = exec.interactiveMode !== 'Never' && process.stdin.isTTY === true;
  if (exec.interactiveMode === 'Always' && !interactive)
    throw new Error(`exec plugin ${command} needs a terminal, and there is none`);
  const info = { apiVersion, kind: 'ExecCredential', spec: { interactive, ...clusterInfo(exec, cluster) } };
  const own = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
  const printed = await outputOf(command, args ?? [], {
    env: { ...process.env, ...own, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
    interactive,
    hint: exec.installHint,
  });
  return credentialOf(printed, apiVersion, command);
}

function clusterInfo({ provideClusterInfo }: ExecConfig, cluster: KubeCluster): object {
  if (provideClusterInfo !== true) return {};
  return {
    cluster: {
      server: cluster.server,
      'tls-server-name': cluster['tls-server-name'],
      'insecure-skip-tls-verify': cluster['insecure-skip-tls-verify'],
      'certificate-authority-data': cluster['certificate-authority-data'],
      'proxy-url': cluster['proxy-url'],
    },
  };
}

interface Run {
  readonly env: NodeJS.ProcessEnv;
  readonly interactive: boolean;
  readonly hint: string | undefined;
}

function outputOf(command: string, args: readonly string[], { env, interactive, hint }: Run): Promise<string> {
  return new Promise((settle, reject) => {
    const stdin = interactive ? 'inherit' : 'ignore';
    const child = spawn(command, args, { env, stdio: [stdin, 'pipe', interactive ? 'inherit' : 'pipe'] });
    // Not spawn's own timeout: if the program does not exist, its timer keeps the process alive.
    const late = setTimeout(() => child.kill(), TIMEOUT_MS);
    let [printed, complaint] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text));
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(late);
      const missing = error.code === 'ENOENT' ? 'not found' : error.message;
      reject(new Error(`exec plugin ${command}: ${missing}${hint === undefined ? '' : `. ${hint.trim()}`}`));
    });
    child.on('close', (code, signal) => {
      clearTimeout(late);
      if (code === 0) settle(printed);
      else reject(new Error(`exec plugin ${command}: ${complaint.trim() || `ended with ${code ?? signal}`}`));
    });
  });
}

function credentialOf(printed: string, apiVersion: string, command: string): ExecCredential {
  let answer: { apiVersion?: unknown; status?: Record<string, unknown> };
  try {
    answer = JSON.parse(printed);
  } catch {
    throw new Error(`exec plugin ${command}: did not print JSON`);
  }
  const { status = {} } = answer;
  if (answer.apiVersion !== apiVersion)
    throw new Error(`exec plugin ${command}: returned apiVersion ${String(answer.apiVersion)}, not ${apiVersion}`);
  const text = (field: string) => (typeof status[field] === 'string' ? (status[field] as string) : undefined);
  const expires = Date.parse(text('expirationTimestamp') ?? '');
  const credential: ExecCredential = {
    token: text('token'),
    clientCertificateData: text('clientCertificateData'),
    clientKeyData: text('clientKeyData'),
    ...(Number.isNaN(expires) ? {} : { expiresMs: expires }),
  };
  if (credential.token === undefined && credential.clientCertificateData === undefined)
    throw new Error(`exec plugin ${command}: returned neither a token nor a certificate`);
  return credential;
}
