import { NODE_POOL } from '../../engine/cluster/well-known.ts';
import { momentInWords } from '../../report/moment.ts';
import type { Subject } from '../analysis/subject.ts';
import { rulesOf } from '../analysis/subject.ts';
import type { Health } from '../api.ts';
import type { HealthFact, ProcessSetting } from '../settings-api.ts';
import type { DashboardSource, LabBench } from './dashboard-source.ts';
import { poolSettings } from './settings-view.ts';

export interface SnapshotFacts {
  readonly name: string;
  /** Warnings from reading the file, those that change money first. */
  readonly notices: readonly string[];
  /** Nothing that could change a decision. */
  readonly notes?: readonly string[];
  /** Origin of the prices. */
  readonly prices?: string;
  readonly compat: boolean;
  readonly settings: readonly ProcessSetting[];
}

/** A file, which never changes. */
export function snapshotSource(subject: Subject, facts: SnapshotFacts, lab?: LabBench): DashboardSource {
  const { name, notices, notes = [], prices, compat, settings } = facts;
  const { objects } = subject;
  const nodesOf = (pool: string) => objects.nodes.filter(({ labels }) => labels[NODE_POOL] === pool).length;
  const origins = { compat, laid: {}, policyName: () => undefined, blockReason: () => undefined };
  const healthFacts: HealthFact[] = [
    { name: 'read at', value: momentInWords(objects.nowMs), status: 'ok' },
    ...(prices === undefined ? [] : [{ name: 'prices', value: prices, status: 'ok' } as const]),
    ...notices.map((notice): HealthFact => ({ name: 'warning', value: notice, status: 'warning' })),
    ...notes.map((note): HealthFact => ({ name: 'note', value: note, status: 'ok' })),
  ];
  const health: Health =
    notices.length === 0
      ? { status: 'ok', message: 'a file, which does not change' }
      : {
          status: 'warning',
          message: `${notices[0]}${notices.length > 1 ? ` (and ${notices.length - 1} more: see Settings)` : ''}`,
        };
  return {
    about: { kind: 'snapshot', name },
    mode: 'read-only',
    changes: false,
    subject: () => subject,
    figures: () => undefined,
    health: () => health,
    settings: () => ({
      pools: poolSettings(objects.nodePools, rulesOf(subject).policyOf, nodesOf, origins),
      settings,
      health: healthFacts,
    }),
    timeline: () => ({ samples: NO_SAMPLES, events: [], eventsDropped: 0 }),
    lab,
  };
}

const NO_SAMPLES = { atMs: [], centsPerHour: [], nodes: [], pods: [], pendingPods: [], evictions: [], reevictions: [] };
