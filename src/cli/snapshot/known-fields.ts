import * as z from 'zod';
import { disruptionBlock } from '../../config/disruption-block.ts';
import type { NodePoolObject } from '../../engine/cluster/objects.ts';

/** Pools reduced to known fields of their disruption blocks, and the paths left out. */
export function withKnownFields(pools: readonly NodePoolObject[]): {
  readonly pools: readonly NodePoolObject[];
  readonly leftOut: readonly string[];
} {
  const leftOut: string[] = [];
  const known = pools.map((pool) => {
    const drop = (path: string) => leftOut.push(`NodePool/${pool.name}: ${path} is unknown and left out`);
    return { ...pool, disruption: knownPart(disruptionBlock, pool.disruption, 'spec.disruption', drop) };
  });
  return { pools: known, leftOut };
}

/** Values may be invalid, and stay so: a snapshot is refused where its source is. Only the shape is checked. */
function knownPart(schema: z.ZodType, value: unknown, path: string, drop: (path: string) => void): unknown {
  if (schema instanceof z.ZodOptional) return knownPart(schema.unwrap() as z.ZodType, value, path, drop);
  if (typeof value !== 'object' || value === null) return value;
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((element, i) => knownPart(schema.element as z.ZodType, element, `${path}[${i}]`, drop));
  }
  if (schema instanceof z.ZodObject && !Array.isArray(value)) {
    const members = Object.entries(value).flatMap(([key, member]) => {
      const inner: z.ZodType | undefined = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
      if (inner !== undefined) return [[key, knownPart(inner, member, `${path}.${key}`, drop)]];
      drop(`${path}.${key}`);
      return [];
    });
    return Object.fromEntries(members);
  }
  drop(path);
  return undefined;
}
