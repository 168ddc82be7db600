import type { Compat } from '../../config/compat.ts';
import type { ControllerSettings } from '../../config/controller-settings.ts';
import { readSettings } from '../../config/read-settings.ts';
import type { KarpenterVersion } from '../../engine/karpenter-release.ts';
import { refused } from './rules.ts';

/** Settings of a controller, from flags and environment; `running`: Karpenter's version. Throws UsageError. */
export function controllerSettings(
  { flags, compat }: { readonly flags: ReadonlyMap<string, string>; readonly compat?: Compat },
  running?: KarpenterVersion,
): ControllerSettings {
  const reading = readSettings({ flags, env: process.env, running, ...(compat === undefined ? {} : { compat }) });
  if ('problems' in reading) throw refused(reading.problems);
  return reading.settings;
}
