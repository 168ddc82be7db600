import { load, YAMLException } from 'js-yaml';
import type { TopologySpread } from '../../engine/cluster/objects.ts';
import { FieldProblem } from '../field-problem.ts';
import { isAbsent, type JsonObject, object, objects } from './field-value.ts';
import { decodeTopologySpread } from './topology-spread.ts';

const ALLOWED = ['maxSkew', 'topologyKey', 'whenUnsatisfiable', 'minDomains', 'nodeAffinityPolicy', 'nodeTaintsPolicy'];

/**
 * Karpenter's --scheduler-config, as YAML, JSON or an object: default constraints for pods without any, with
 * Karpenter's own checks.
 */
export function decodeSchedulerConfig(value: unknown, path: string): readonly TopologySpread[] {
  const given = typeof value === 'string' ? parsed(value, path) : value;
  const config = only(object(given, path) ?? {}, ['podTopologySpread'], path);
  const at = `${path}.podTopologySpread`;
  const { defaultConstraints } = only(object(config.podTopologySpread, at) ?? {}, ['defaultConstraints'], at);
  const list = `${at}.defaultConstraints`;
  objects(defaultConstraints, list, (raw, where) => {
    only(raw, ALLOWED, where);
    if (isAbsent(raw.whenUnsatisfiable))
      throw new FieldProblem(`${where}.whenUnsatisfiable`, raw.whenUnsatisfiable, 'DoNotSchedule or ScheduleAnyway');
    if (typeof raw.maxSkew !== 'number' || raw.maxSkew <= 0)
      throw new FieldProblem(`${where}.maxSkew`, raw.maxSkew, 'a whole number above 0');
  });
  const constraints = decodeTopologySpread(defaultConstraints, list);
  const keys = constraints.map((c) => `${c.topologyKey} ${c.whenUnsatisfiable}`);
  const twice = keys.findIndex((key, i) => keys.indexOf(key) < i);
  if (twice >= 0)
    throw new FieldProblem(`${list}[${twice}].topologyKey`, constraints[twice].topologyKey, 'each key and action once');
  return constraints;
}

function only(raw: JsonObject, allowed: readonly string[], path: string): JsonObject {
  const unknown = Object.keys(raw).find((key) => !allowed.includes(key));
  if (unknown !== undefined) throw new FieldProblem(`${path}.${unknown}`, raw[unknown], `only ${allowed.join(', ')}`);
  return raw;
}

function parsed(text: string, path: string): unknown {
  try {
    return text.trim() === '' ? undefined : load(text);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new FieldProblem(path, text, `YAML or JSON (${error.reason})`);
  }
}
