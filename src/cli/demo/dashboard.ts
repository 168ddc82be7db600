import { Dashboard } from '../../web/server/dashboard.ts';
import { demoLab } from '../dashboard/lab-bench.ts';
import { type Served, serveDashboard } from '../dashboard/serve-dashboard.ts';
import type { DemoCluster } from './cluster.ts';
import type { DemoOptions } from './flags.ts';
import { type DemoFacts, DemoSource } from './source.ts';

export class DemoDashboard {
  readonly source: DemoSource;
  private readonly options: DemoOptions;
  private served: Served | undefined;

  constructor(options: DemoOptions, facts: Omit<DemoFacts, 'lab'>) {
    this.options = options;
    this.source = new DemoSource({ ...facts, lab: demoLab(options.workload, options.policy) });
  }

  /** Returns its URL. */
  async open(demo: DemoCluster): Promise<string> {
    await this.source.attach(demo);
    this.served = await serveDashboard(new Dashboard(this.source), this.options);
    return this.served.url;
  }

  async close(): Promise<void> {
    await this.served?.close();
  }
}
