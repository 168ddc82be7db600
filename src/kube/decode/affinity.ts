import type { PodAffinityTerm, PodConstraints, Weighted } from '../../engine/cluster/objects.ts';
import { FieldProblem } from '../field-problem.ts';
import { integer, isAbsent, type JsonObject, object, objects, requiredText, texts } from './field-value.ts';
import { decodeLabelSelector, decodeNodeTerm, decodeNodeTerms } from './selector.ts';

type AffinityConstraints = Pick<
  PodConstraints,
  | 'requiredNodeTerms'
  | 'preferredNodeTerms'
  | 'requiredAffinity'
  | 'preferredAffinity'
  | 'requiredAntiAffinity'
  | 'preferredAntiAffinity'
>;

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

export function decodePodAffinity(value: unknown, path: string): AffinityConstraints {
  const affinity = object(value, path) ?? {};
  const nodes = object(affinity.nodeAffinity, `${path}.nodeAffinity`) ?? {};
  const pods = object(affinity.podAffinity, `${path}.podAffinity`) ?? {};
  const anti = object(affinity.podAntiAffinity, `${path}.podAntiAffinity`) ?? {};
  const required = decodeNodeTerms(nodes[REQUIRED], `${path}.nodeAffinity.${REQUIRED}`);
  return {
    ...(required === undefined ? {} : { requiredNodeTerms: required }),
    preferredNodeTerms: weighted(nodes[PREFERRED], `${path}.nodeAffinity.${PREFERRED}`, 'preference', decodeNodeTerm),
    requiredAffinity: objects(pods[REQUIRED], `${path}.podAffinity.${REQUIRED}`, decodePodTerm),
    preferredAffinity: weighted(pods[PREFERRED], `${path}.podAffinity.${PREFERRED}`, 'podAffinityTerm', decodePodTerm),
    requiredAntiAffinity: objects(anti[REQUIRED], `${path}.podAntiAffinity.${REQUIRED}`, decodePodTerm),
    preferredAntiAffinity: weighted(
      anti[PREFERRED],
      `${path}.podAntiAffinity.${PREFERRED}`,
      'podAffinityTerm',
      decodePodTerm,
    ),
  };
}

function weighted<T>(
  value: unknown,
  path: string,
  member: string,
  decode: (raw: JsonObject, path: string) => T,
): readonly Weighted<T>[] {
  return objects(value, path, (raw, at) => {
    const term = object(raw[member], `${at}.${member}`);
    if (term === undefined) throw new FieldProblem(`${at}.${member}`, raw[member], 'an object');
    return { weight: integer(raw.weight, `${at}.weight`) ?? 0, term: decode(term, `${at}.${member}`) };
  });
}

function decodePodTerm(raw: JsonObject, path: string): PodAffinityTerm {
  const labelSelector = decodeLabelSelector(raw.labelSelector, `${path}.labelSelector`);
  const namespaceSelector = decodeLabelSelector(raw.namespaceSelector, `${path}.namespaceSelector`);
  return {
    topologyKey: requiredText(raw.topologyKey, `${path}.topologyKey`),
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(isAbsent(raw.namespaces) ? {} : { namespaces: texts(raw.namespaces, `${path}.namespaces`) }),
    ...(namespaceSelector === undefined ? {} : { namespaceSelector }),
  };
}
