import type { ClusterView } from '../controller/cluster-port.ts';
import type { Command } from '../controller/command.ts';
import type { ReconcileReport } from '../controller/report.ts';
import { commandInWords, outcomeInWords, reasonInWords } from '../report/command-words.ts';
import { count, perHour, perMonth } from '../report/money.ts';

/** An event for users, as the webhook sends it. */
export interface Notification {
  readonly apiVersion: 'decant.sh/v1alpha1';
  readonly kind: 'Notification';
  readonly type: 'command-done' | 'command-abandoned' | 'command-held' | 'day';
  /** RFC 3339. */
  readonly time: string;
  readonly text: string;
  /** Of a command. */
  readonly command?: string;
  readonly nodePools?: readonly string[];
  readonly nodes?: readonly string[];
  /** Why it was abandoned or is held: a code. */
  readonly reason?: string;
  /** Of a day, UTC. */
  readonly date?: string;
  readonly commands?: number;
  readonly abandoned?: number;
  /** Of the command, or of all commands of the day. */
  readonly savingsCentsPerHour?: number;
  readonly evictions?: number;
}

const DAY_MS = 86_400_000;

/** Turns reports into notifications. A command held for the same reason is reported once. */
export class Notifications {
  private readonly held = new Map<string, string>();
  private dayMs: number | undefined;

  of({ transitions, held }: ReconcileReport, { commands }: ClusterView, nowMs: number): readonly Notification[] {
    const out: Notification[] = [];
    for (const command of transitions) {
      if (command.phase === 'done') out.push(ofCommand('command-done', command, outcomeInWords(command), nowMs));
      if (command.phase === 'abandoned')
        out.push(ofCommand('command-abandoned', command, outcomeInWords(command), nowMs, command.reason));
    }
    for (const [id, reason] of held) {
      const command = commands.find((c) => c.id === id);
      if (command === undefined || this.held.get(id) === reason) continue;
      const text = `held: ${reasonInWords(reason)}; ${commandInWords(command)}`;
      out.push(ofCommand('command-held', command, text, nowMs, reason));
      this.held.set(id, reason);
    }
    for (const id of this.held.keys()) if (!commands.some((c) => c.id === id)) this.held.delete(id);
    return [...out, ...this.dayOver(commands, nowMs)];
  }

  /** After midnight, UTC: the day before, if anything was done. */
  private dayOver(commands: readonly Command[], nowMs: number): readonly Notification[] {
    const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
    const before = this.dayMs ?? today;
    this.dayMs = Math.max(today, before);
    if (today <= before) return [];
    const ofDay = commands.filter((c) => c.phaseMs >= before && c.phaseMs < before + DAY_MS);
    const done = ofDay.filter((c) => c.phase === 'done');
    const { length: abandoned } = ofDay.filter((c) => c.phase === 'abandoned');
    if (done.length + abandoned === 0) return [];
    const sum = (figure: (command: Command) => number) => done.reduce((all, c) => all + figure(c), 0);
    const savingsCentsPerHour = sum((c) => (c.realised ?? c.predicted).savingsCentsPerHour);
    const evictions = sum((c) => (c.realised ?? c.predicted).evictions);
    const date = new Date(before).toISOString().slice(0, 10);
    const savings = `${perHour(savingsCentsPerHour)} saved, ${perMonth(savingsCentsPerHour)} a month`;
    const what = `${count(done.length, 'command')} done, ${abandoned} abandoned, ${count(evictions, 'eviction')}`;
    const figures = { date, commands: done.length, abandoned, savingsCentsPerHour, evictions };
    return [{ ...head('day', nowMs), text: `${date}: ${savings} (${what})`, ...figures }];
  }
}

function ofCommand(
  type: Notification['type'],
  { id, nodes, predicted, realised = predicted }: Command,
  text: string,
  nowMs: number,
  reason?: string,
): Notification {
  return {
    ...head(type, nowMs),
    text,
    command: id,
    nodePools: [...new Set(nodes.map((n) => n.nodePool))],
    nodes: nodes.map((n) => n.node),
    ...(reason === undefined ? {} : { reason }),
    ...(type === 'command-done'
      ? { savingsCentsPerHour: realised.savingsCentsPerHour, evictions: realised.evictions }
      : {}),
  };
}

function head(type: Notification['type'], nowMs: number) {
  return { apiVersion: 'decant.sh/v1alpha1', kind: 'Notification', type, time: new Date(nowMs).toISOString() } as const;
}
