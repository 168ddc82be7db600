import type { PodObject } from '../engine/cluster/objects.ts';
import { Decoders } from '../kube/decode/decoders.ts';
import { ObjectReader } from './object-reader.ts';

export class WatchDecoders extends Decoders {
  readonly reader = new ObjectReader();
}

/** Pods come and go; without a limit the caches would grow forever. */
const MOST_OBJECTS = 300_000;

/**
 * Replaces decoders after a number of objects. Objects of different decoders do not share parts, which costs some
 * memory and time and changes no result.
 */
export class RenewedDecoders {
  private decoders = new WatchDecoders();

  get current(): WatchDecoders {
    if (this.decoders.reader.count > MOST_OBJECTS) this.decoders = new WatchDecoders();
    return this.decoders;
  }
}

/** Priority classes of pods without a priority value, as those created before the API server filled it in. */
export const priorityClassOfPod = new WeakMap<PodObject, string>();
