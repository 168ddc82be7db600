import type { TopologySpread } from '../../engine/cluster/objects.ts';
import { decodeChoice, integer, isAbsent, type JsonObject, objects, requiredText, texts } from './field-value.ts';
import { decodeLabelSelector } from './selector.ts';

const UNSATISFIABLE = ['DoNotSchedule', 'ScheduleAnyway'] as const;
const POLICIES = ['Honor', 'Ignore'] as const;

export function decodeTopologySpread(value: unknown, path: string): readonly TopologySpread[] {
  return objects(value, path, decodeConstraint);
}

function decodeConstraint(raw: JsonObject, path: string): TopologySpread {
  const labelSelector = decodeLabelSelector(raw.labelSelector, `${path}.labelSelector`);
  const minDomains = integer(raw.minDomains, `${path}.minDomains`);
  return {
    topologyKey: requiredText(raw.topologyKey, `${path}.topologyKey`),
    maxSkew: integer(raw.maxSkew, `${path}.maxSkew`) ?? 1,
    // The API server requires a value; a manifest that was never applied gets the stricter one.
    whenUnsatisfiable: decodeChoice(
      raw.whenUnsatisfiable ?? 'DoNotSchedule',
      UNSATISFIABLE,
      `${path}.whenUnsatisfiable`,
    ),
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(minDomains === undefined ? {} : { minDomains }),
    ...policy(raw, 'nodeAffinityPolicy', path),
    ...policy(raw, 'nodeTaintsPolicy', path),
    ...(isAbsent(raw.matchLabelKeys) ? {} : { matchLabelKeys: texts(raw.matchLabelKeys, `${path}.matchLabelKeys`) }),
  };
}

function policy(raw: JsonObject, name: 'nodeAffinityPolicy' | 'nodeTaintsPolicy', path: string) {
  return isAbsent(raw[name]) ? {} : { [name]: decodeChoice(raw[name], POLICIES, `${path}.${name}`) };
}
