import type { ReconcileReport } from '../../controller/report.ts';
import { momentOf } from '../../simulator/moment.ts';
import type { SimulatedCluster } from '../../simulator/simulated-cluster.ts';
import type { TimelineAnswer } from '../../web/api.ts';
import { Timeline } from '../../web/server/timeline.ts';
import { type ClusterEvent, EventCollector } from '../demo/events.ts';
import { eventText } from '../demo/words.ts';

/** The history of a simulated cluster for the dashboard's timeline. */
export class SimulationRecord {
  private readonly timeline = new Timeline();
  private readonly cluster: SimulatedCluster;
  private readonly events: EventCollector;

  /** `ours`: Decant's controller runs in it. */
  constructor(cluster: SimulatedCluster, ours: boolean) {
    this.cluster = cluster;
    this.events = new EventCollector(cluster.world, (news, atMs) =>
      this.timeline.event({ atMs, kind: news.kind, text: eventText(news), nodes: nodesOf(news) }),
    );
    this.events.listen({ ours });
    this.passed();
  }

  reported(report: ReconcileReport): void {
    this.events.reported(report);
  }

  /** To be called after the cluster was advanced. */
  passed(): void {
    const { nowMs, dollarsPerHour, nodes, pods, pendingPods, evictions, reevictions } = momentOf(this.cluster);
    this.timeline.sample({
      atMs: Math.round(nowMs),
      centsPerHour: dollarsPerHour * 100,
      nodes,
      pods,
      pendingPods,
      evictions,
      reevictions,
    });
  }

  answer(): Omit<TimelineAnswer, 'version'> {
    this.events.flush();
    return this.timeline.answer();
  }
}

/** Names of the nodes concerned. */
export function nodesOf(news: ClusterEvent): readonly string[] {
  if ('command' in news) return news.command.nodes.map(({ node }) => node);
  return 'node' in news ? [news.node] : [];
}
