import { amountTexts } from '../../engine/cluster/amount-text.ts';
import type { Labels, Owner, Resources } from '../../engine/cluster/objects.ts';
import { timeText } from './time-text.ts';

/** A Kubernetes object. Undefined members are not written. */
export type Written = Readonly<Record<string, unknown>>;

interface Identity {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly createdMs?: number;
  /** Deletion time; the engine only knows that there is one. */
  readonly deletedMs?: number;
  readonly labels?: Labels;
  readonly annotations?: Readonly<Record<string, string | undefined>>;
  readonly owners?: readonly Owner[];
}

export function writeObject(apiVersion: string, kind: string, identity: Identity, rest: Written = {}): Written {
  const { name, namespace, uid, createdMs, deletedMs, labels = {}, annotations = {}, owners = [] } = identity;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      uid,
      creationTimestamp: createdMs ? timeText(createdMs) : undefined,
      deletionTimestamp: deletedMs === undefined ? undefined : timeText(deletedMs),
      labels: unlessEmpty(labels),
      annotations: unlessEmpty(annotations),
      ownerReferences: unlessNone(owners.map(writeOwner)),
    },
    ...rest,
  };
}

function writeOwner({ apiVersion, kind, name, uid, controller, ...rest }: Owner): Written {
  nothingLeft(rest);
  return { apiVersion, kind, name, uid, controller: controller || undefined };
}

export function unlessNone<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

export function unlessEmpty(members: Written): Written | undefined {
  return Object.values(members).some((value) => value !== undefined) ? members : undefined;
}

export function writeAmounts(amounts: Resources): Written | undefined {
  return unlessEmpty(amountTexts(amounts));
}

/** Fails to compile while a field of an engine object is not written. */
export function nothingLeft(_rest: Readonly<Record<string, never>>): void {}
