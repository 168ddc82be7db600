import { problemsText } from '../config/problem.ts';
import type { AdaptiveLevel } from '../controller/adaptive-threshold.ts';
import type { ClusterView } from '../controller/cluster-port.ts';
import type { Command } from '../controller/command.ts';
import type { BlockReason } from '../controller/governance.ts';
import { priceDoubtInWords } from '../controller/price-trust.ts';
import type { PassReport, ReconcileReport } from '../controller/report.ts';
import { objectName } from '../engine/cluster/undecodable.ts';
import { NODE_POOL } from '../engine/cluster/well-known.ts';
import { refusalText } from '../engine/refusal-text.ts';
import {
  brakeInWords,
  commandInWords,
  reasonInWords,
  resultInWords,
  rolloutsInWords,
} from '../report/command-words.ts';
import { beyondLimits } from '../report/limit-words.ts';
import { levelInWords } from '../report/threshold-words.ts';
import { conflictInWords, INTERLOCKED } from './event-list.ts';
import { errorInWords, type Log } from './log.ts';
import { Recent } from './recent.ts';

/** A repeated line is logged again after this time. */
const AGAIN_MS = 15 * 60_000;
/** Failed writes are retried every second but logged once a minute. */
const FAILED_AGAIN_MS = 60_000;

/** Undecodable objects and objects beyond limits logged one by one; the metrics count all. */
const MAX_NAMED = 20;

/** Logs transitions of commands, each pass in one line, and what blocks a NodePool once. */
export class ReconcileLog {
  private readonly log: Log;
  private readonly said = new Recent(AGAIN_MS);
  private readonly failed = new Recent(FAILED_AGAIN_MS);
  private readonly levels = new Map<string, number>();
  private idle: string | undefined;

  constructor(log: Log) {
    this.log = log;
  }

  tell(report: ReconcileReport, view: ClusterView | undefined, nowMs: number): void {
    for (const command of report.transitions) this.transition(command);
    for (const { action, error } of report.failures) {
      const fields = { action: action.kind, error: errorInWords(error) };
      const key = `${fields.action} ${fields.error}`;
      if (!this.failed.has(key, nowMs)) this.log.warn('write failed, retrying', fields);
      this.failed.note(key, nowMs);
    }
    for (const object of view?.objects.undecodable.slice(0, MAX_NAMED) ?? [])
      this.once(`undecodable ${objectName(object)} ${object.problem}`, nowMs, () =>
        this.log.warn('object is set aside', { object: objectName(object), problem: object.problem }),
      );
    for (const [command, reason] of report.held)
      this.once(`held ${command} ${reason}`, nowMs, () =>
        this.log.info(`command on hold: ${reasonInWords(reason)}`, { command }),
      );
    for (const { pool, blockReason } of report.poolGovernance.values()) this.blockReason(pool, blockReason, nowMs);
    for (const [nodepool, level] of report.thresholds ?? []) this.threshold(nodepool, level);
    if (report.idle !== undefined && report.idle.code !== this.idle)
      this.log.debug('no pass', {
        why: report.idle.code === 'stabilization' ? refusalText(report.idle) : report.idle.code,
      });
    this.idle = report.idle?.code;
    if (report.pass === undefined) return;
    this.pass(report.pass, view, nowMs);
    for (const { topic, text } of view === undefined ? [] : beyondLimits(view.objects).slice(0, MAX_NAMED))
      this.once(topic, nowMs, () => this.log.warn(text));
  }

  private transition(command: Command): void {
    const { id, phase, reason, blockedBy } = command;
    const fields = { command: id, nodes: command.nodes.map((n) => n.node) };
    const words = commandInWords(command);
    if (phase === 'abandoned')
      this.log.info(`command abandoned: ${reasonInWords(reason ?? 'unknown', blockedBy)}`, fields);
    else if (reason !== undefined)
      this.log.info(`command is being rolled back: ${reasonInWords(reason, blockedBy)}`, fields);
    else if (phase === 'waiting') this.log.info(`command begun: ${words}`, fields);
    else if (phase === 'launching' && command.rollingMs !== undefined)
      this.log.info(`command rolls pods instead of evicting them: ${rolloutsInWords(command.rollouts ?? [])}`, fields);
    else if (phase === 'launching') this.log.info(`command confirmed: ${words}`, fields);
    else if (phase === 'draining') this.log.info('command deletes its nodes', fields);
    else this.log.info(`command done: ${resultInWords(command)}`, fields);
  }

  /** Only changes of the threshold are logged. */
  private threshold(nodepool: string, level: AdaptiveLevel): void {
    if (this.levels.get(nodepool) !== level.cents) this.log.info(levelInWords(level), { nodepool });
    this.levels.set(nodepool, level.cents);
  }

  private blockReason(nodepool: string, blockReason: BlockReason | undefined, nowMs: number): void {
    if (blockReason === undefined) return;
    this.once(`pool ${nodepool} ${blockReason.code}`, nowMs, () => {
      if (blockReason.code === 'conflict') this.log.warn(conflictInWords(blockReason.policies), { nodepool });
      else if (blockReason.code === 'invalid-policy') this.log.warn(problemsText(blockReason.problems), { nodepool });
      else if (blockReason.code === 'interlock') this.log.info(INTERLOCKED, { nodepool });
      else if (blockReason.code === 'prices') this.log.warn(priceDoubtInWords(blockReason.doubt), { nodepool });
      else this.log.info('NodePool is being deleted: no consolidation', { nodepool });
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
        this.log.info(`move held back: ${brakeInWords(refusal)}`, { move: commandInWords(command) }),
      );
    }
    this.blocked(pass, view, nowMs);
  }

  /** The savings-threshold document: blocked consolidations at info level, where the threshold is above 0. */
  private blocked({ thresholdBlocked }: PassReport, view: ClusterView | undefined, nowMs: number): void {
    const pools = new Map(view?.objects.nodeClaims.map((c) => [c.nodeName, c.labels[NODE_POOL]]));
    for (const [node, refusal] of [...thresholdBlocked.values()].flatMap((nodes) => [...nodes])) {
      const line = refusalText(refusal);
      // A move of several nodes is logged once.
      const { nodes = [node] } = refusal;
      const nodepool = [...new Set(nodes.map((name) => pools.get(name)))].join();
      this.once(`${nodes.join()} ${line}`, nowMs, () => this.log.info(line, { node: nodes.join(), nodepool }));
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
