import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Subject } from './certificates.ts';
import { commandLines, readinessUrls } from './command-lines.ts';
import { Component } from './component.ts';
import { installKarpenter } from './karpenter-objects.ts';
import { Lifetime } from './lifetime.ts';
import { type Place, preparePlace } from './place.ts';
import type { ComponentName } from './programs.ts';
import { answers, waitFor } from './readiness.ts';
import { fillToolbox, type Toolbox } from './toolbox.ts';

const execute = promisify(execFile);

const MOST_STARTS = 3;

export interface ControlPlaneOptions {
  /** Sold by the provider, in KWOK's format; unless given, those that come with it. */
  readonly instanceTypes?: string;
  /** Karpenter's settings, such as FEATURE_GATES. */
  readonly karpenterEnv?: Readonly<Record<string, string>>;
  /** Socket of a proxy by which the API server reaches pods, see cluster-network.ts; unless given, it reaches none. */
  readonly podNetwork?: string;
  /** Told what takes long. */
  readonly say?: (line: string) => void;
}

/** etcd, API server, controllers, scheduler, KWOK and Karpenter, all real, all on loopback, ready for use. */
export class ControlPlane {
  readonly components: ReadonlyMap<ComponentName, Component>;
  readonly #place: Place;
  readonly #lifetime: Lifetime;

  private constructor(place: Place, lifetime: Lifetime) {
    this.#place = place;
    this.#lifetime = lifetime;
    const components = Object.entries(commandLines(place)).map(
      ([name, line]) => [name as ComponentName, new Component(line, join(place.folder, `${name}.log`))] as const,
    );
    this.components = new Map(components);
    for (const component of this.components.values()) lifetime.adopt(component);
  }

  static async start({ say = () => {}, ...options }: ControlPlaneOptions = {}): Promise<ControlPlane> {
    const toolbox = await fillToolbox(say);
    for (let attempt = 1; ; attempt++) {
      try {
        return await ControlPlane.#startOnce(toolbox, options);
      } catch (error) {
        // Somebody took a port between the moment it was found free and the start of its component.
        if (attempt === MOST_STARTS || !String(error).includes('address already in use')) throw error;
        say(`${error}: once more, on other ports`);
      }
    }
  }

  static async #startOnce(toolbox: Toolbox, options: ControlPlaneOptions): Promise<ControlPlane> {
    const lifetime = new Lifetime();
    try {
      const plane = new ControlPlane(await preparePlace(lifetime.folder, toolbox, options), lifetime);
      await plane.#startAll();
      return plane;
    } catch (error) {
      await lifetime.end();
      throw error;
    }
  }

  /** Of an administrator. */
  get kubeconfig(): string {
    return this.#place.kubeconfigs.admin;
  }

  get server(): string {
    return this.#place.server;
  }

  /** What the provider sells. */
  get instanceTypes(): string {
    return this.#place.instanceTypes;
  }

  /** Gone when it is stopped; tests may put files there. */
  get folder(): string {
    return this.#place.folder;
  }

  async #startAll(): Promise<void> {
    await this.#launch('etcd');
    await this.#launch('kube-apiserver');
    const others = ['kube-controller-manager', 'kube-scheduler', 'kwok'] as const;
    await Promise.all([...others.map((name) => this.#launch(name)), this.#startKarpenter()]);
  }

  async #startKarpenter(): Promise<void> {
    await installKarpenter((...args) => this.kubectl(args), this.#place.toolbox.crds, this.folder);
    await this.#launch('karpenter');
  }

  async #launch(name: ComponentName): Promise<void> {
    const component = this.components.get(name)!;
    const url = readinessUrls(this.#place)[name];
    const { ca, admin } = this.#place;
    const credentials = { ca: ca.read(), cert: readFileSync(admin.certFile), key: readFileSync(admin.keyFile) };
    component.start();
    await waitFor(
      `${name} is ready`,
      async () => {
        if (!component.running) throw new Error(`${name} ended:\n${lastLines(component.readLog())}`);
        return answers(url, credentials);
      },
      { onTimeout: () => lastLines(component.readLog()) },
    );
  }

  /** A kubeconfig for any user; RBAC decides what they may do. */
  async kubeconfigFor(name: string, subject: Subject): Promise<string> {
    return this.#place.writeKubeconfig(name, subject);
  }

  /** As administrator, unless `--kubeconfig` is among the arguments. Answers what was printed. */
  async kubectl(args: readonly string[], input?: string): Promise<string> {
    const running = execute(this.#place.toolbox.programs.kubectl, args, {
      env: { PATH: process.env.PATH, HOME: this.folder, KUBECONFIG: this.kubeconfig },
      maxBuffer: 1 << 30,
    });
    running.child.stdin?.end(input);
    return (await running).stdout;
  }

  /** Returns when it is ready again. With SIGKILL it crashes, otherwise it may say goodbye. */
  async restart(name: ComponentName, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.components.get(name)!.stop(signal);
    await this.#launch(name);
  }

  /** Everything that it has written since the control plane was started. */
  log(name: ComponentName): string {
    return this.components.get(name)!.readLog();
  }

  async stop(): Promise<void> {
    await this.#lifetime.end();
  }
}

function lastLines(log: string): string {
  return log.trimEnd().split('\n').slice(-20).join('\n');
}
