import type { KarpenterOptions } from '../../engine/cluster/karpenter-options.ts';
import type { PriceOrigin } from '../../engine/cluster/price-origin.ts';
import type { UndecodableObject } from '../../engine/cluster/undecodable.ts';
import { isAbsent, type JsonObject, list, objects, requiredText, text } from '../decode/field-value.ts';
import { decodeOptions } from '../decode/karpenter-options.ts';
import { decodePriceOrigin } from '../decode/price-origin.ts';
import { timestamp } from '../decode/timestamp.ts';
import { FieldProblem } from '../field-problem.ts';

/** Instance types as in a snapshot, for the catalog to decode. */
export interface RawInstanceTypes {
  readonly source: string;
  readonly entries: readonly unknown[];
  /** Origin of their prices, if the snapshot says so. */
  readonly origin?: PriceOrigin;
}

/** Members of a document that hold objects. */
export const OBJECT_LISTS = ['objects', 'items'] as const;

const MEMBERS: readonly string[] = ['now', 'options', 'undecodable', 'prices', 'instanceTypes', ...OBJECT_LISTS];

/** A snapshot's members besides its objects. Several files may each have some; they must not contradict each other. */
export class SnapshotHeader {
  nowMs: number | undefined = undefined;
  /** undefined: no snapshot says. */
  options: KarpenterOptions | undefined = undefined;
  /** Objects that the snapshot's author could not decode. */
  readonly undecodable: UndecodableObject[] = [];
  private prices: PriceOrigin | undefined = undefined;
  private instanceTypes: RawInstanceTypes | undefined = undefined;

  /** The snapshot's own catalog, if any. */
  catalog(): RawInstanceTypes | undefined {
    const { instanceTypes, prices } = this;
    return instanceTypes === undefined || prices === undefined ? instanceTypes : { ...instanceTypes, origin: prices };
  }

  isSnapshot(members: ReadonlyMap<string, unknown>): boolean {
    return MEMBERS.some((name) => members.has(name));
  }

  /** For a document without objects: a typo would otherwise make it the snapshot of an empty cluster. */
  refuseUnknownMembers(members: ReadonlyMap<string, unknown>): void {
    for (const name of OBJECT_LISTS) list(members.get(name), name);
    const unknown = [...members].find(([name]) => !MEMBERS.includes(name));
    if (unknown !== undefined) throw new FieldProblem(unknown[0], unknown[1], `only ${MEMBERS.join(', ')} here`);
  }

  read(members: ReadonlyMap<string, unknown>, source: string): void {
    const now = timestamp(members.get('now'), 'now');
    if (now !== undefined) {
      if (this.nowMs !== undefined && this.nowMs !== now) {
        throw new FieldProblem(
          'now',
          members.get('now'),
          'one time for the whole input: another file names a different one',
        );
      }
      this.nowMs = now;
    }
    if (!isAbsent(members.get('options'))) this.options = decodeOptions(members.get('options'));
    this.undecodable.push(...objects(members.get('undecodable'), 'undecodable', decodeUndecodable));
    if (!isAbsent(members.get('prices'))) this.prices = decodePriceOrigin(members.get('prices'));
    const entries = members.get('instanceTypes');
    if (isAbsent(entries)) return;
    if (this.instanceTypes !== undefined) {
      throw new FieldProblem(
        'instanceTypes',
        entries,
        `them in one file only: ${this.instanceTypes.source} has them too`,
      );
    }
    this.instanceTypes = { source, entries: list(entries, 'instanceTypes') };
  }
}

function decodeUndecodable(raw: JsonObject, path: string): UndecodableObject {
  return {
    kind: requiredText(raw.kind, `${path}.kind`),
    namespace: text(raw.namespace, `${path}.namespace`),
    name: requiredText(raw.name, `${path}.name`),
    nodeName: text(raw.nodeName, `${path}.nodeName`),
    problem: text(raw.problem, `${path}.problem`),
  };
}
