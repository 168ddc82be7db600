import {
  COMMAND_PHASES,
  COMMAND_RESOURCE,
  type CommandCondition,
  type CommandSpec,
  type CommandStatus,
  commandSpec,
  commandStatus,
} from '../config/command-object.ts';
import { fieldPath, withoutNulls } from '../config/object-path.ts';
import { check } from '../config/schema-problems.ts';
import type { Command } from '../controller/command.ts';
import { amountTexts } from '../engine/cluster/amount-text.ts';
import { resourceAmounts } from '../kube/decode/resource-amounts.ts';
import { parseTimestamp } from '../kube/decode/timestamp.ts';
import { timeText } from '../kube/encode/time-text.ts';
import { FieldProblem } from '../kube/field-problem.ts';
import { perHour } from '../report/money.ts';

const { group, version, kind } = COMMAND_RESOURCE;

/** A ConsolidationCommand as it is written. */
export interface CommandObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: CommandSpec;
  readonly status: CommandStatus;
}

/** In the column of kubectl get. */
const MOST_NODES = 1;
const PHASES: readonly Command['phase'][] = ['waiting', 'launching', 'draining', 'done', 'abandoned'];

export function commandObject(command: Command): CommandObject {
  const { launchedMs, rollingMs, drainingMs, realised, reason } = command;
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name: command.id },
    spec: {
      decidedAt: timeText(command.decidedMs),
      nodes: command.nodes.map((n) => ({ ...n })),
      replacements: command.replacements.map(({ requirements, requests, ...rest }) => ({
        ...rest,
        requirements: requirements.map(({ values, ...r }) =>
          values === undefined ? r : { ...r, values: [...values] },
        ),
        requests: amountTexts(requests),
      })),
      workloads: { ...command.workloads },
      predicted: command.predicted,
      ...(command.placements === undefined ? {} : { placements: { ...command.placements } }),
      ...(command.rollouts === undefined ? {} : { rollouts: command.rollouts.map((r) => ({ ...r })) }),
      ...(command.next === undefined
        ? {}
        : { next: command.next.map(({ nodes, ...move }) => ({ ...move, nodes: [...nodes] })) }),
    },
    status: {
      phase: COMMAND_PHASES[PHASES.indexOf(command.phase)],
      phaseAt: timeText(command.phaseMs),
      ...(launchedMs === undefined ? {} : { launchedAt: timeText(launchedMs) }),
      ...(rollingMs === undefined ? {} : { rollingAt: timeText(rollingMs) }),
      ...(drainingMs === undefined ? {} : { drainingAt: timeText(drainingMs) }),
      summary: {
        nodes: nodesInWords(command.nodes.map(({ node }) => node)),
        saves: perHour(command.predicted.savingsCentsPerHour),
        ...(realised === undefined ? {} : { saved: perHour(realised.savingsCentsPerHour) }),
      },
      ...(realised === undefined ? {} : { realised }),
      ...(reason === undefined ? {} : { reason }),
      ...(command.blockedBy === undefined ? {} : { blockedBy: command.blockedBy }),
      conditions: conditionsOf(command),
    },
  };
}

/** A column of kubectl shows one value, so that a list has to be a text. */
function nodesInWords(names: readonly string[]): string {
  const more = names.length - MOST_NODES;
  return more > 0 ? `${names.slice(0, MOST_NODES).join(', ')} and ${more} more` : names.join(', ');
}

function conditionsOf({ phase, phaseMs, decidedMs, reason }: Command): CommandCondition[] {
  const name = COMMAND_PHASES[PHASES.indexOf(phase)];
  const over = phase === 'done' || phase === 'abandoned';
  const condition = (type: CommandCondition['type'], isTrue: boolean, sinceMs: number): CommandCondition => ({
    type,
    status: isTrue ? 'True' : 'False',
    reason: name,
    message: reason === undefined ? '' : `abandoned: ${reason}`,
    lastTransitionTime: timeText(sinceMs),
  });
  return [
    condition('Done', phase === 'done', phase === 'done' ? phaseMs : decidedMs),
    condition('Reconciling', !over, over ? phaseMs : decidedMs),
    condition('Stalled', phase === 'abandoned', phase === 'abandoned' ? phaseMs : decidedMs),
  ];
}

/** The command that an object says; throws FieldProblem if it says none, as when a later version wrote it. */
export function commandOf(id: string, givenSpec: unknown, givenStatus: unknown): Command {
  const spec = checked(commandSpec, givenSpec, 'spec');
  const status = checked(commandStatus, givenStatus, 'status');
  const { launchedAt, rollingAt, drainingAt, realised, reason } = status;
  return {
    id,
    phase: PHASES[COMMAND_PHASES.indexOf(status.phase)],
    decidedMs: timeOf(spec.decidedAt, 'spec.decidedAt'),
    phaseMs: timeOf(status.phaseAt, 'status.phaseAt'),
    ...(launchedAt === undefined ? {} : { launchedMs: timeOf(launchedAt, 'status.launchedAt') }),
    ...(rollingAt === undefined ? {} : { rollingMs: timeOf(rollingAt, 'status.rollingAt') }),
    ...(drainingAt === undefined ? {} : { drainingMs: timeOf(drainingAt, 'status.drainingAt') }),
    nodes: spec.nodes,
    replacements: spec.replacements.map((r, i) => ({
      ...r,
      requests: resourceAmounts(r.requests, `spec.replacements[${i}].requests`),
    })),
    workloads: spec.workloads,
    predicted: spec.predicted,
    ...(spec.placements === undefined ? {} : { placements: spec.placements }),
    ...(spec.rollouts === undefined ? {} : { rollouts: spec.rollouts }),
    ...(spec.next === undefined ? {} : { next: spec.next }),
    ...(realised === undefined ? {} : { realised }),
    ...(reason === undefined ? {} : { reason }),
    ...(status.blockedBy === undefined ? {} : { blockedBy: status.blockedBy }),
  };
}

function checked<T>(schema: Parameters<typeof check<T>>[0], value: unknown, at: string): T {
  const result = check(schema, withoutNulls(value));
  if ('value' in result) return result.value;
  const [{ path, value: found, allowed }] = result.problems;
  throw new FieldProblem(fieldPath(at, path), found, allowed);
}

function timeOf(text: string, path: string): number {
  const ms = parseTimestamp(text);
  if (ms === undefined) throw new FieldProblem(path, text, 'a valid time');
  return ms;
}
