import type { PodObject } from '../engine/cluster/objects.ts';
import { Decoders } from '../kube/decode/decoders.ts';
import { ObjectReader } from './object-reader.ts';

export class WatchDecoders extends Decoders {
  readonly reader = new ObjectReader();
}

/** Reads besides three for each object held, after which the caches are mostly about objects that are gone. */
const LEAST_READS = 10_000;

/**
 * Replaces decoders after a number of reads. Objects of different decoders do not share parts, which costs some
 * memory and time and changes no result.
 */
export class RenewedDecoders {
  private decoders = new WatchDecoders();
  private readonly held: () => number;

  /** `held`: the number of objects that are in memory now. */
  constructor(held: () => number) {
    this.held = held;
  }

  get current(): WatchDecoders {
    const { count } = this.decoders.reader;
    if (count > LEAST_READS && count > LEAST_READS + 3 * this.held()) this.decoders = new WatchDecoders();
    return this.decoders;
  }
}

/** Priority classes of pods without a priority value, as those created before the API server filled it in. */
export const priorityClassOfPod = new WeakMap<PodObject, string>();
