import type { Comparison } from '../../lab/comparison.ts';
import type { Subject } from '../analysis/subject.ts';
import type { Health, LabChoices, LabRequest, Source, StateAnswer, TimelineAnswer, Totals } from '../api.ts';
import type { SettingsAnswer } from '../settings-api.ts';

/** Where a dashboard's data comes from: a file, a simulated cluster or a live one. */
export interface DashboardSource {
  readonly about: Source;
  readonly mode: StateAnswer['mode'];
  /** In a simulated cluster: virtual milliseconds per second. */
  readonly speed?: number;
  /** false if it never changes. */
  readonly changes: boolean;
  /** The current cluster; undefined while caches are not synced. */
  subject(): Subject | undefined;
  /** Totals between analyses; undefined if there are none. */
  figures(): { readonly nowMs: number; readonly totals: Totals } | undefined;
  health(): Health;
  settings(): Omit<SettingsAnswer, 'version'>;
  timeline(): Omit<TimelineAnswer, 'version'>;
  readonly lab: LabBench | undefined;
}

/** Runs comparisons of policies. */
export interface LabBench {
  readonly choices: LabChoices;
  /** Calls `progressed` with the share that is done; `stop` aborts the run. */
  run(request: LabRequest, progressed: (share: number) => void, stop: AbortSignal): Promise<Comparison>;
}
