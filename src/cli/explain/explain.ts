import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import { explainMove, type MoveExplanation } from '../../engine/explanation/move-explanation.ts';
import { explainNode, type NodeExplanation } from '../../engine/explanation/node-explanation.ts';
import { explainPod, type PodExplanation } from '../../engine/explanation/pod-explanation.ts';
import type { Situation } from '../../engine/explanation/situation.ts';
import { mayBeCandidate } from '../../engine/explanation/trial.ts';
import type { Plan } from '../../engine/plan-document.ts';
import { UsageError } from '../flags/usage-error.ts';
import { loadInput, tell } from '../input/load-input.ts';
import { documentText } from '../output/document-text.ts';
import { EXIT } from '../output/exit.ts';
import { outputWidth, print, styled } from '../output/terminal-text.ts';
import { type MadePlan, makePlan, planRules } from '../plan/make-plan.ts';
import type { ExplainOptions } from './flags.ts';

type Explanation = NodeExplanation | PodExplanation | MoveExplanation;

export async function explainCommand(
  kind: 'node' | 'pod' | 'move',
  subject: string,
  options: ExplainOptions,
): Promise<number> {
  const { cluster, notices, notes } = await loadInput(options);
  const made = await planFor(kind, subject, cluster, options);
  const explanation = explained(kind, subject, { objects: cluster, rules: made.rules }, made);
  const text = await format(explanation, options.output);
  tell(notices, notes);
  print(text);
  return EXIT.ok;
}

/** Without a search where it would say nothing: the plan does not move a node that is no candidate. */
async function planFor(
  kind: 'node' | 'pod' | 'move',
  subject: string,
  cluster: ClusterObjects,
  options: ExplainOptions,
): Promise<MadePlan> {
  if (kind !== 'node') return makePlan(cluster, options, 0);
  const { rules } = await planRules(cluster, options);
  const stays = !mayBeCandidate({ objects: cluster, rules }, fullNodeName(cluster, subject));
  return makePlan(cluster, stays ? { ...options, workBudget: 1, timeBudget: undefined } : options, 0);
}

function explained(kind: 'node' | 'pod' | 'move', subject: string, situation: Situation, made: MadePlan): Explanation {
  const { plan } = made;
  // Stock launches as many as the rules say; the merged search may be given more to show what that would save.
  const launches = plan.search === 'merged' ? made.maxReplacements : situation.rules.settings.maxReplacements;
  switch (kind) {
    case 'node': {
      const name = fullNodeName(plan, subject);
      return explainNode(situation, plan, name, launches) ?? unknownNode(situation.objects, plan, subject);
    }
    case 'pod':
      return explainPod(situation, plan, subject) ?? unknownPod(situation.objects, subject);
    case 'move': {
      const number = /^[0-9]+$/.test(subject) ? Number(subject) : 0;
      const then = { ...situation, objects: made.clusterOf(number) };
      return explainMove(then, plan, number, launches) ?? unknownMove(plan, subject);
    }
  }
}

/** A name without its domain is accepted if it is unique. */
function fullNodeName({ nodes }: { readonly nodes: readonly { readonly name: string }[] }, name: string): string {
  if (nodes.some((n) => n.name === name)) return name;
  const matching = nodes.filter((n) => n.name.startsWith(`${name}.`));
  return matching.length === 1 ? matching[0].name : name;
}

function unknownNode(objects: ClusterObjects, { nodes }: Plan, name: string): never {
  const claim = objects.nodeClaims.find((c) => c.name === name);
  if (claim !== undefined && claim.nodeName !== '')
    throw new UsageError(`${name} is a NodeClaim; its node is ${claim.nodeName}`);
  const close = nodes.filter((n) => n.name.includes(name)).map((n) => n.name);
  throw new UsageError(
    `no node ${name} among the ${nodes.length} of the input${similar(close)}; decant plan -o wide lists them`,
  );
}

function unknownPod({ pods }: ClusterObjects, name: string): never {
  const bare = name.split('/').at(-1) ?? name;
  const close = pods.filter((p) => p.name.includes(bare)).map((p) => `${p.namespace}/${p.name}`);
  throw new UsageError(`no pod ${name} in the input; give it as namespace/name${similar(close)}`);
}

function unknownMove({ moves }: Plan, number: string): never {
  throw new UsageError(
    moves.length === 0
      ? `no move ${number}: the plan has none; decant explain node says why a node stays`
      : `no move ${number}: the plan has ${moves.length === 1 ? 'only move 1' : `moves 1 to ${moves.length}`}`,
  );
}

function similar(names: readonly string[]): string {
  return names.length === 0 ? '' : ` (there is ${names.slice(0, 3).join(', ')})`;
}

async function format(explanation: Explanation, output: ExplainOptions['output']): Promise<string> {
  if (output === 'json' || output === 'yaml') return documentText(explanation, output);
  const { renderExplanation } = await import('./render.ts');
  return renderExplanation(explanation, {
    width: outputWidth(100),
    wide: output === 'wide',
    paint: styled,
  });
}
