import type { Comparison } from '../../lab/comparison.ts';
import type { Subject } from '../analysis/subject.ts';
import type { Health, LabChoices, LabRequest, Source, StateAnswer, TimelineAnswer, Totals } from '../api.ts';
import type { SettingsAnswer } from '../settings-api.ts';

/** Where a dashboard's data comes from: a file, a simulated cluster, a live one. */
export interface DashboardSource {
  readonly about: Source;
  readonly mode: StateAnswer['mode'];
  /** Of a simulated cluster: virtual milliseconds that pass in a second. */
  readonly speed?: number;
  /** false: it is the same for ever. */
  readonly changes: boolean;
  /** The cluster now; undefined while not everything is known. */
  subject(): Subject | undefined;
  /** Figures that change between analyses; undefined if there are none. */
  figures(): { readonly nowMs: number; readonly totals: Totals } | undefined;
  health(): Health;
  settings(): Omit<SettingsAnswer, 'version'>;
  timeline(): Omit<TimelineAnswer, 'version'>;
  readonly lab: LabBench | undefined;
}

/** Where policies are compared. */
export interface LabBench {
  readonly choices: LabChoices;
  /** `progressed` with the share that is done; `stop`: nobody wants to know any more. */
  run(request: LabRequest, progressed: (share: number) => void, stop: AbortSignal): Promise<Comparison>;
}
