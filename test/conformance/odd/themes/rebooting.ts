import { HOUR, time } from '../draft.ts';
import type { Theme } from '../theme.ts';

const TAINT = { key: 'karpenter.sh/rebooting', effect: 'NoSchedule' };

/** Nodes that node repair restarts in place: before and after the reboot is issued, and long done. */
export const rebooting: Theme = {
  nodes(d) {
    for (const { node, claim } of d.nodes) {
      const r = d.random;
      if (node === undefined || claim === undefined || !r.chance(0.25)) continue;
      const status = r.pick(['True', 'True', 'True', 'False']);
      claim.status.conditions.push({
        type: 'Rebooting',
        status,
        reason: r.pick(['RebootRequested', 'RebootIssued']),
        message: '',
        lastTransitionTime: time(d.nowMs - HOUR),
      });
      if (r.chance(0.8)) node.spec.taints = [...(node.spec.taints ?? []), { ...TAINT }];
      if (r.chance(0.4)) delete node.metadata.labels['karpenter.sh/initialized'];
    }
  },
};
