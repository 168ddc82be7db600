import { join } from 'node:path';
import { type Certificate, CertificateAuthority, type Subject, writeTokenKeys } from './certificates.ts';
import { freePorts } from './free-ports.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import type { Toolbox } from './toolbox.ts';

export interface Ports {
  readonly etcd: number;
  readonly etcdPeer: number;
  readonly apiServer: number;
  readonly controllerManager: number;
  readonly scheduler: number;
  readonly kwok: number;
  readonly karpenterHealth: number;
  readonly karpenterMetrics: number;
}

type Identity = 'admin' | 'kube-controller-manager' | 'kube-scheduler' | 'kwok' | 'karpenter';

/** What one control plane has to itself before anything runs: folder, ports, certificates, kubeconfigs. */
export interface Place {
  readonly folder: string;
  readonly toolbox: Toolbox;
  readonly ports: Ports;
  /** The API server's address. */
  readonly server: string;
  readonly ca: CertificateAuthority;
  readonly serving: Certificate;
  readonly admin: Certificate;
  readonly tokenKeys: { readonly privateFile: string; readonly publicFile: string };
  readonly kubeconfigs: Readonly<Record<Identity, string>>;
  readonly instanceTypes: string;
  readonly karpenterEnv: Readonly<Record<string, string>>;
  /** Socket of a proxy by which the API server reaches pods. */
  readonly podNetwork?: string;
  readonly writeKubeconfig: (name: string, subject: Subject) => Promise<string>;
}

const SUBJECTS: Readonly<Record<Exclude<Identity, 'admin'>, Subject>> = {
  'kube-controller-manager': { user: 'system:kube-controller-manager' },
  'kube-scheduler': { user: 'system:kube-scheduler' },
  kwok: { user: 'kwok', groups: ['system:masters'] },
  // As if it ran in a pod with that service account.
  karpenter: { user: 'system:serviceaccount:kube-system:karpenter' },
};

export async function preparePlace(
  folder: string,
  toolbox: Toolbox,
  {
    instanceTypes = toolbox.instanceTypes,
    karpenterEnv = {},
    podNetwork,
  }: Partial<Pick<Place, 'instanceTypes' | 'karpenterEnv' | 'podNetwork'>>,
): Promise<Place> {
  const ports = await choosePorts();
  const server = `https://127.0.0.1:${ports.apiServer}`;
  const ca = await CertificateAuthority.create(folder);
  const write = (name: string, certificate: Certificate) =>
    writeKubeconfig(join(folder, `${name}.kubeconfig`), server, ca.read(), certificate);
  const issueAndWrite = async (name: string, subject: Subject) => write(name, await ca.issue(name, subject));
  const admin = await ca.issue('admin', { user: 'admin', groups: ['system:masters'] });
  const kubeconfigs = Object.entries(SUBJECTS).map(async ([name, subject]) => [
    name,
    await issueAndWrite(name, subject),
  ]);
  return {
    folder,
    toolbox,
    ports,
    server,
    ca,
    serving: await ca.issue('serving', { user: 'localhost' }),
    admin,
    tokenKeys: await writeTokenKeys(folder),
    kubeconfigs: { admin: await write('admin', admin), ...Object.fromEntries(await Promise.all(kubeconfigs)) },
    instanceTypes,
    karpenterEnv,
    ...(podNetwork === undefined ? {} : { podNetwork }),
    writeKubeconfig: issueAndWrite,
  };
}

async function choosePorts(): Promise<Ports> {
  const ports = await freePorts(8);
  return {
    etcd: ports[0]!,
    etcdPeer: ports[1]!,
    apiServer: ports[2]!,
    controllerManager: ports[3]!,
    scheduler: ports[4]!,
    kwok: ports[5]!,
    karpenterHealth: ports[6]!,
    karpenterMetrics: ports[7]!,
  };
}
