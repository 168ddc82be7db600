import type { ControllerSettings } from '../../config/controller-settings.ts';
import { Controller } from '../../controller/controller.ts';
import type { BlockReason } from '../../controller/governance.ts';
import type { PassReport, ReconcileReport } from '../../controller/report.ts';
import type { KarpenterOptions } from '../../engine/cluster/karpenter-options.ts';
import { API_VERSION } from '../../engine/plan-document.ts';
import { planPrices } from '../../engine/plan-prices.ts';
import { refusalText } from '../../engine/refusal-text.ts';
import type { ApiClient } from '../../live/api-client.ts';
import { LiveCluster, type LiveClusterOptions } from '../../live/live-cluster.ts';
import { commandInWords } from '../../report/command-words.ts';
import { count, perHour, sumPerHour } from '../../report/money.ts';
import { synced } from '../input/live-catalog.ts';
import { EXIT } from '../output/exit.ts';
import { print } from '../output/terminal-text.ts';

export interface OnceOptions {
  readonly client: ApiClient;
  readonly settings: ControllerSettings;
  readonly search?: 'merged' | 'karpenter';
  readonly work?: number;
  readonly karpenter: Partial<KarpenterOptions>;
  readonly loadCatalog: LiveClusterOptions['loadCatalog'];
  readonly output: 'text' | 'json';
}

/** One pass in observe mode; nothing is written. */
export async function runOnce({ client, loadCatalog, karpenter, output, ...rest }: OnceOptions): Promise<number> {
  const cluster = new LiveCluster({ client, loadCatalog, karpenter, autoscalers: rest.settings.rollouts });
  cluster.start();
  try {
    await synced(cluster);
    const controller = new Controller(cluster, { ...rest, mode: 'observe', clock: () => performance.now() });
    const report = await controller.reconcile();
    const { objects } = cluster.view() ?? {};
    const prices = objects?.prices === undefined ? undefined : planPrices(objects, objects.prices);
    const document = () => ({ ...asDocument(report, objects?.nowMs ?? Date.now()), prices });
    const doubts = prices?.warnings.map((warning) => `warning: ${warning}\n`).join('') ?? '';
    const source = prices === undefined ? '' : `prices: ${prices.source}\n`;
    print(
      output === 'json'
        ? `${JSON.stringify(document(), null, 2)}\n`
        : doubts + asText(report, prices?.nodesBySource.none) + source,
    );
    return EXIT.ok;
  } finally {
    await cluster.stop();
  }
}

function asText({ pass, idle, poolGovernance }: ReconcileReport, unpriced = 0): string {
  if (pass === undefined) return `no pass now: ${idle?.code === 'stabilization' ? refusalText(idle) : idle?.code}\n`;
  const { centsPerHour, plannedSavingsCentsPerHour, proposals, refusals } = pass;
  const out = [
    `${count(pass.nodeRefusals.size, 'node')}: ${sumPerHour(centsPerHour, unpriced)} now, ${perHour(plannedSavingsCentsPerHour)} can be saved`,
  ];
  for (const { pool, policyName, blockReason } of poolGovernance.values())
    out.push(`NodePool ${pool}: ${governance(policyName, blockReason)}`);
  out.push(proposals.length === 0 ? 'no commands to start' : `commands to start (${proposals.length}):`);
  for (const { command, refusal } of proposals)
    out.push(`- ${commandInWords(command)}${refusal === undefined ? '' : `, held back: ${refusal.code}`}`);
  if (refusals.size > 0) out.push(`refused: ${[...refusals].map(([code, nodes]) => `${nodes} ${code}`).join(', ')}`);
  return `${out.join('\n')}\n`;
}

function governance(policyName: string | undefined, blockReason: BlockReason | undefined): string {
  const by = policyName === undefined ? 'its own block' : `ConsolidationPolicy ${policyName}`;
  return blockReason === undefined ? `managed by Decant, with ${by}` : `not managed by Decant (${blockReason.code})`;
}

function asDocument({ pass, idle, poolGovernance }: ReconcileReport, nowMs: number): object {
  return {
    apiVersion: API_VERSION,
    kind: 'Pass',
    now: new Date(nowMs).toISOString(),
    ...(idle === undefined ? {} : { idle }),
    nodePools: [...poolGovernance.values()].map(({ pool, policyName, blockReason }) => ({
      name: pool,
      ...(policyName === undefined ? {} : { policy: policyName }),
      ...(blockReason === undefined ? {} : { hindrance: blockReason }),
      ...pass?.pools.get(pool),
    })),
    ...(pass === undefined ? {} : figuresOf(pass)),
  };
}

function figuresOf(pass: PassReport): object {
  return {
    centsPerHour: pass.centsPerHour,
    plannedSavingsCentsPerHour: pass.plannedSavingsCentsPerHour,
    ...(pass.coverage === undefined ? {} : { coverage: pass.coverage }),
    durationMs: pass.durationMs,
    proposals: pass.proposals.map(({ command, wave, refusal }) => ({
      wave,
      words: commandInWords(command),
      nodes: command.nodes,
      replacements: command.replacements,
      predicted: command.predicted,
      ...(refusal === undefined ? {} : { refusal }),
    })),
    nodes: [...pass.nodeRefusals].map(([name, refusals]) => ({
      name,
      refusals: refusals.map((refusal) => ({ ...refusal, message: refusalText(refusal) })),
    })),
  };
}
