import type { AdaptiveLevel } from '../controller/adaptive-threshold.ts';
import type { ClusterView } from '../controller/cluster-port.ts';
import type { Command } from '../controller/command.ts';
import type { Hindrance } from '../controller/governance.ts';
import type { PassReport, TickReport } from '../controller/report.ts';
import { NODE_POOL } from '../engine/cluster/well-known.ts';
import { refusalText } from '../engine/refusal-text.ts';
import { brakeInWords, moveInWords, reasonInWords, resultInWords } from '../report/command-words.ts';
import { levelInWords } from '../report/threshold-words.ts';
import { conflictInWords, INTERLOCKED } from './event-list.ts';
import { errorInWords, type Log } from './log.ts';
import { problemsInWords } from './problem-words.ts';
import { Recent } from './recent.ts';

/** The same is said again after so long. */
const AGAIN_MS = 15 * 60_000;
/** What fails is tried again every second; the log need not fill up with it. */
const FAILED_AGAIN_MS = 60_000;

/** Says in the log what ticks came to: commands as they go on, passes in one line, and what stands in the way once. */
export class TickLines {
  private readonly log: Log;
  private readonly said = new Recent(AGAIN_MS);
  private readonly failed = new Recent(FAILED_AGAIN_MS);
  private readonly levels = new Map<string, number>();
  private idle: string | undefined;

  constructor(log: Log) {
    this.log = log;
  }

  tell(report: TickReport, view: ClusterView | undefined, nowMs: number): void {
    for (const command of report.transitions) this.transition(command);
    for (const { action, error } of report.failures) {
      const fields = { action: action.kind, error: errorInWords(error) };
      const key = `${fields.action} ${fields.error}`;
      if (!this.failed.has(key, nowMs)) this.log.warn('write failed, it is tried again', fields);
      this.failed.note(key, nowMs);
    }
    for (const [command, reason] of report.held)
      this.once(`held ${command} ${reason}`, nowMs, () =>
        this.log.info(`command held up: ${reasonInWords(reason)}`, { command }),
      );
    for (const { pool, hindrance } of report.standings.values()) this.hindrance(pool, hindrance, nowMs);
    for (const [nodepool, level] of report.thresholds ?? []) this.threshold(nodepool, level);
    if (report.idle !== undefined && report.idle.code !== this.idle)
      this.log.debug('no pass', {
        why: report.idle.code === 'stabilization' ? refusalText(report.idle) : report.idle.code,
      });
    this.idle = report.idle?.code;
    if (report.pass !== undefined) this.pass(report.pass, view, nowMs);
  }

  private transition(command: Command): void {
    const { id, phase, reason } = command;
    const fields = { command: id, nodes: command.nodes.map((n) => n.node) };
    const words = moveInWords(command);
    if (phase === 'abandoned') this.log.info(`command given up: ${reasonInWords(reason ?? 'unknown')}`, fields);
    else if (reason !== undefined) this.log.info(`command is undone: ${reasonInWords(reason)}`, fields);
    else if (phase === 'waiting') this.log.info(`command begun: ${words}`, fields);
    else if (phase === 'launching') this.log.info(`command confirmed: ${words}`, fields);
    else if (phase === 'draining') this.log.info('command deletes its nodes', fields);
    else this.log.info(`command done: ${resultInWords(command)}`, fields);
  }

  /** When it moves; that it stays is nothing to tell. */
  private threshold(nodepool: string, level: AdaptiveLevel): void {
    if (this.levels.get(nodepool) !== level.cents) this.log.info(levelInWords(level), { nodepool });
    this.levels.set(nodepool, level.cents);
  }

  private hindrance(nodepool: string, hindrance: Hindrance | undefined, nowMs: number): void {
    if (hindrance === undefined) return;
    this.once(`pool ${nodepool} ${hindrance.code}`, nowMs, () => {
      if (hindrance.code === 'conflict') this.log.warn(conflictInWords(hindrance.policies), { nodepool });
      else if (hindrance.code === 'invalid-policy') this.log.warn(problemsInWords(hindrance.problems), { nodepool });
      else if (hindrance.code === 'interlock') this.log.info(INTERLOCKED, { nodepool });
      else this.log.info('the NodePool is being deleted: nothing is done in it', { nodepool });
    });
  }

  private pass(pass: PassReport, view: ClusterView | undefined, nowMs: number): void {
    this.log.debug('pass', {
      durationMs: Math.round(pass.durationMs),
      centsPerHour: rounded(pass.centsPerHour),
      plannedSavingsCentsPerHour: rounded(pass.plannedSavingsCentsPerHour),
      proposals: pass.proposals.length,
      refusals: Object.fromEntries(pass.refusals),
    });
    for (const { command, refusal } of pass.proposals) {
      if (refusal === undefined) continue;
      this.once(`brake ${refusal.code} ${command.nodes.map((n) => n.nodeClaim).join()}`, nowMs, () =>
        this.log.info(`move held back: ${brakeInWords(refusal)}`, { move: moveInWords(command) }),
      );
    }
    this.blocked(pass, view, nowMs);
  }

  /** The savings-threshold document: blocked consolidations at info level, where the threshold is above 0. */
  private blocked({ nodeRefusals }: PassReport, view: ClusterView | undefined, nowMs: number): void {
    const pools = new Map(view?.objects.nodeClaims.map((c) => [c.nodeName, c.labels[NODE_POOL]]));
    for (const [node, refusals] of nodeRefusals) {
      const refusal = refusals.find((r) => r.code === 'savings-below-threshold');
      if (refusal === undefined || refusal.threshold <= 0) continue;
      const line = refusalText(refusal);
      this.once(`${node} ${line}`, nowMs, () => this.log.info(line, { node, nodepool: pools.get(node) }));
    }
  }

  private once(key: string, nowMs: number, say: () => void): void {
    if (this.said.has(key, nowMs)) return;
    this.said.note(key, nowMs);
    say();
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
