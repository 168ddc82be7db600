import type { Budget, NodePoolObject } from '../../engine/cluster/objects.ts';
import { FieldProblem } from '../field-problem.ts';
import { fields, type Row, whole } from '../read/json-shape.ts';
import { conditionStatus, TIMELESS_CONDITIONS } from './condition.ts';
import { decodeDuration, decodeDurationOrNever } from './duration.ts';
import {
  isAbsent,
  type JsonObject,
  labels,
  nonNegative,
  object,
  objects,
  optionalText,
  text,
  texts,
} from './field-value.ts';
import { isTerminating, nameOf, objectShape, uidOf } from './metadata.ts';
import { resourceAmounts } from './resource-amounts.ts';
import { decodeRequirements } from './selector.ts';
import { decodeTaints } from './taint.ts';

export const NODE_POOL = objectShape({
  top: { spec: whole(), status: fields({ conditions: TIMELESS_CONDITIONS }) },
});

/** Defaults of the CRD. */
const DEFAULT_POLICY = 'WhenEmptyOrUnderutilized';
const DEFAULT_EXPIRE_AFTER = '720h';
const BUDGET_NODES = /^((100|\d{1,2})%|\d+)$/;

export function decodeNodePool(row: Row): NodePoolObject {
  const spec = object(row.spec, 'spec') ?? {};
  const template = object(spec.template, 'spec.template') ?? {};
  const templateMetadata = object(template.metadata, 'spec.template.metadata') ?? {};
  const claim = object(template.spec, 'spec.template.spec') ?? {};
  const disruption = object(spec.disruption, 'spec.disruption') ?? {};
  const { consolidateAfter, budgets } = disruption;
  return {
    name: nameOf(row),
    uid: uidOf(row),
    labels: labels(row.labels, 'metadata.labels'),
    terminating: isTerminating(row),
    ready: conditionStatus(row.conditions, 'Ready') === 'True',
    weight: nonNegative(spec.weight, 'spec.weight') ?? 0,
    replicas: nonNegative(spec.replicas, 'spec.replicas'),
    limits: resourceAmounts(spec.limits, 'spec.limits'),
    templateLabels: labels(templateMetadata.labels, 'spec.template.metadata.labels'),
    requirements: decodeRequirements(claim.requirements, 'spec.template.spec.requirements'),
    taints: decodeTaints(claim.taints, 'spec.template.spec.taints'),
    startupTaints: decodeTaints(claim.startupTaints, 'spec.template.spec.startupTaints'),
    expireAfterMs: decodeDurationOrNever(claim.expireAfter ?? DEFAULT_EXPIRE_AFTER, 'spec.template.spec.expireAfter'),
    nodeClass: decodeNodeClass(object(claim.nodeClassRef, NODE_CLASS_PATH) ?? {}),
    consolidationPolicy: text(disruption.consolidationPolicy, 'spec.disruption.consolidationPolicy') || DEFAULT_POLICY,
    // The API server writes defaults; if an object lacks them, Karpenter's code sees no value, and so does this.
    consolidateAfterMs: isAbsent(consolidateAfter)
      ? undefined
      : decodeDurationOrNever(consolidateAfter, 'spec.disruption.consolidateAfter'),
    budgets: isAbsent(budgets) ? [] : objects(budgets, 'spec.disruption.budgets', decodeBudget),
    disruption: spec.disruption,
  };
}

const NODE_CLASS_PATH = 'spec.template.spec.nodeClassRef';

function decodeNodeClass(reference: JsonObject): NodePoolObject['nodeClass'] {
  return {
    group: text(reference.group, `${NODE_CLASS_PATH}.group`),
    kind: text(reference.kind, `${NODE_CLASS_PATH}.kind`),
    name: text(reference.name, `${NODE_CLASS_PATH}.name`),
  };
}

function decodeBudget(raw: JsonObject, path: string): Budget {
  const nodes = raw.nodes ?? '10%';
  if (typeof nodes !== 'string' || !BUDGET_NODES.test(nodes)) {
    throw new FieldProblem(`${path}.nodes`, nodes, 'a string such as "10%" or "3"');
  }
  const schedule = optionalText(raw.schedule, `${path}.schedule`);
  const timeZone = optionalText(raw.timeZone, `${path}.timeZone`);
  return {
    nodes,
    ...(schedule === undefined ? {} : { schedule }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(isAbsent(raw.duration) ? {} : { durationMs: decodeDuration(raw.duration, `${path}.duration`) }),
    ...(isAbsent(raw.reasons) ? {} : { reasons: texts(raw.reasons, `${path}.reasons`) }),
  };
}
