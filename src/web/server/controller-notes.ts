import { problemsText } from '../../config/problem.ts';
import type { BlockReason, PoolGovernance } from '../../controller/governance.ts';
import { priceDoubtInWords } from '../../controller/price-trust.ts';
import type { PassReport, ReconcileReport } from '../../controller/report.ts';
import { brakeInWords } from '../../report/command-words.ts';
import { momentInWords } from '../../report/moment.ts';
import type { BrakedMove } from '../analysis/held-moves.ts';
import type { Health } from '../api.ts';
import type { HealthFact } from '../settings-api.ts';
import { passFacts } from './pass-facts.ts';

/** The controller's last reports, as health. */
export class ControllerNotes {
  private pass: PassReport | undefined;
  private passMs: number | undefined;
  private last: ReconcileReport | undefined;
  private failures = 0;
  private lastFailure: string | undefined;

  reported(report: ReconcileReport, nowMs: number): void {
    this.last = report;
    if (report.pass !== undefined) {
      this.pass = report.pass;
      this.passMs = nowMs;
    }
    for (const { action, error } of report.failures) {
      this.failures++;
      this.lastFailure = `${action.kind}: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  /** Of the last pass. */
  held(): readonly BrakedMove[] {
    return (this.pass?.proposals ?? []).flatMap(({ command, refusal, retryAtMs: untilMs }) => {
      if (refusal === undefined) return [];
      const nodes = command.nodes.map(({ node }) => node);
      return [{ nodes, why: brakeInWords(refusal), ...(untilMs === undefined ? {} : { untilMs }) }];
    });
  }

  blockReasonOf(pool: string): string | undefined {
    const blockReason = this.last?.poolGovernance.get(pool)?.blockReason;
    return blockReason === undefined ? undefined : blockReasonInWords(blockReason);
  }

  policyNameOf(pool: string): string | undefined {
    return this.last?.poolGovernance.get(pool)?.policyName;
  }

  health(): Health {
    const worst = this.facts().find(({ status }) => status !== 'ok');
    if (worst !== undefined) return { status: worst.status, message: `${worst.name}: ${worst.value}` };
    return { status: 'ok', message: this.pass === undefined ? 'no pass yet' : 'all passes succeeded' };
  }

  facts(): HealthFact[] {
    const { pass, passMs, last } = this;
    const facts: HealthFact[] = [interlockFact([...(last?.poolGovernance.values() ?? [])])];
    if (pass !== undefined && passMs !== undefined) {
      facts.push({ name: 'last pass', value: momentInWords(passMs), status: 'ok' }, ...passFacts(pass, true));
    }
    if (last?.idle?.code === 'unsynced')
      facts.push({ name: 'cluster', value: 'caches are not synced yet', status: 'warning' });
    const held = last?.held.size ?? 0;
    if (held > 0) facts.push({ name: 'commands on hold', value: String(held), status: 'ok' });
    const braked = this.held().length;
    if (braked > 0) facts.push({ name: 'moves held back', value: String(braked), status: 'ok' });
    facts.push({
      name: 'failed actions',
      value: this.lastFailure === undefined ? '0' : `${this.failures}; last: ${this.lastFailure}`,
      status: (last?.failures.length ?? 0) > 0 ? 'warning' : 'ok',
    });
    return facts;
  }
}

function interlockFact(poolGovernance: readonly PoolGovernance[]): HealthFact {
  const watched = poolGovernance.filter(({ blockReason }) => blockReason?.code === 'interlock').map(({ pool }) => pool);
  const broken = poolGovernance.filter(
    ({ blockReason }) => blockReason !== undefined && blockReason.code !== 'interlock',
  );
  if (broken.length > 0)
    return {
      name: 'pools',
      value: `no consolidation in ${broken.map(({ pool }) => pool).join(', ')}`,
      status: 'warning',
    };
  const value =
    watched.length === 0
      ? 'Decant consolidates every pool'
      : `observed only, because Karpenter consolidates: ${watched.join(', ')}`;
  return { name: 'interlock', value, status: 'ok' };
}

function blockReasonInWords(blockReason: BlockReason): string {
  switch (blockReason.code) {
    case 'interlock':
      return 'observed only: Karpenter consolidates it';
    case 'conflict':
      return `several ConsolidationPolicies select it: ${blockReason.policies.join(', ')}`;
    case 'invalid-policy':
      return problemsText(blockReason.problems);
    case 'deleting':
      return 'the NodePool is being deleted';
    case 'prices':
      return priceDoubtInWords(blockReason.doubt);
  }
}
