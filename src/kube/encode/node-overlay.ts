import type { NodeOverlayObject } from '../../engine/cluster/node-overlay-object.ts';
import { nothingLeft, type Written, writeAmounts, writeObject } from './metadata.ts';

export function writeNodeOverlay(overlay: NodeOverlayObject): Written {
  const { name, weight, requirements, price, capacity, ...rest } = overlay;
  nothingLeft(rest);
  const isAdjustment = price !== undefined && /^[+-]/.test(price);
  return writeObject(
    'karpenter.sh/v1alpha1',
    'NodeOverlay',
    { name },
    {
      spec: {
        requirements,
        price: isAdjustment ? undefined : price,
        priceAdjustment: isAdjustment ? price : undefined,
        capacity: capacity && (writeAmounts(capacity) ?? {}),
        weight: weight === 0 ? undefined : weight,
      },
    },
  );
}
