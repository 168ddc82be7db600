import type { Owner } from '../../engine/cluster/objects.ts';
import { FieldProblem } from '../field-problem.ts';
import {
  type Fields,
  fields,
  type Leaf,
  type Row,
  type Shape,
  shared,
  sharedInShort,
  text as textLeaf,
  time,
} from '../read/json-shape.ts';
import { boolean, type JsonObject, objects, requiredText, text } from './field-value.ts';
import { sha1 } from './sha1.ts';

export const DEFAULT_NAMESPACE = 'default';

interface KindMembers {
  /** How labels are read: shared, unless no two objects have the same. */
  readonly labels?: Leaf;
  readonly annotations?: Readonly<Record<string, Leaf>>;
  /** Metadata fields besides those of every kind. */
  readonly metadata?: Readonly<Record<string, Leaf>>;
  readonly top?: Readonly<Record<string, Shape>>;
}

/** An object with apiVersion, kind and metadata, and the kind's own members. */
export function objectShape(members: KindMembers): Fields {
  return fields({
    apiVersion: shared(),
    kind: shared(),
    metadata: fields({
      name: textLeaf(),
      namespace: shared(),
      uid: textLeaf(),
      creationTimestamp: time(),
      deletionTimestamp: time(),
      labels: members.labels ?? shared('labels'),
      ownerReferences: sharedInShort(shortOwners),
      annotations: fields(members.annotations ?? {}),
      ...members.metadata,
    }),
    ...members.top,
  });
}

/** No API server accepts such a name; on a terminal it could alter other lines. */
const CONTROL = /\p{Cc}/u;

export function isPrintable(name: string): boolean {
  return !CONTROL.test(name);
}

export function nameOf(row: Row): string {
  const name = requiredText(row.name, 'metadata.name');
  if (!isPrintable(name)) throw new FieldProblem('metadata.name', name, 'a name without control characters');
  return name;
}

/** `default` for a manifest without a namespace, as kubectl would apply it. */
export function namespaceOf(row: Row): string {
  return text(row.namespace, 'metadata.namespace') || DEFAULT_NAMESPACE;
}

/** The uid; for a manifest that was never applied, one derived from its name. */
export function uidOf(row: Row): string {
  const uid = text(row.uid, 'metadata.uid');
  if (uid !== '') return uid;
  const key = `${text(row.kind, 'kind')}/${text(row.namespace, 'metadata.namespace')}/${nameOf(row)}`;
  return sha1(key).slice(0, 32);
}

export function createdMsOf(row: Row): number {
  return (row.creationTimestamp as number | undefined) ?? 0;
}

export function isTerminating(row: Row): boolean {
  return row.deletionTimestamp !== undefined;
}

const MOST_OWNERS = 10;
/** Characters of a name, kind or uid; real ones are shorter. */
const MOST_CHARACTERS = 300;

/**
 * The controller and the first owner of each kind, which are all that decisions ask for: API servers accept thousands, and
 * kinds of a megabyte.
 */
function shortOwners(raw: unknown): unknown {
  if (!Array.isArray(raw)) return raw;
  const kinds = new Set<string>();
  const isFirst = (owner: JsonObject | null) => {
    const before = kinds.size;
    return before < MOST_OWNERS && kinds.add(`${owner?.apiVersion} ${owner?.kind}`).size > before;
  };
  const controller = raw.find((owner) => owner?.controller === true);
  return raw.filter((owner) => isFirst(owner) || owner === controller).map(shortOwner);
}

function shortOwner(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const { apiVersion, kind, name, uid, controller } = raw as JsonObject;
  const short = (value: unknown) => (typeof value === 'string' ? value.slice(0, MOST_CHARACTERS) : value);
  return { apiVersion: short(apiVersion), kind: short(kind), name: short(name), uid: short(uid), controller };
}

export function decodeOwners(raw: unknown, path: string): readonly Owner[] {
  return objects(raw, path, decodeOwner);
}

function decodeOwner(raw: JsonObject, path: string): Owner {
  return {
    apiVersion: text(raw.apiVersion, `${path}.apiVersion`),
    kind: text(raw.kind, `${path}.kind`),
    name: text(raw.name, `${path}.name`),
    uid: text(raw.uid, `${path}.uid`),
    controller: boolean(raw.controller, `${path}.controller`),
  };
}
