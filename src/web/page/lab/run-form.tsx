import { useState } from 'preact/hooks';
import type { LabChoices, LabRequest, LabRun } from '../../api.ts';
import { ask } from '../answers.ts';
import { remember } from '../navigation.ts';
import { labRun } from '../state.ts';

/** The question of most users: what they have, what Karpenter could do, what we recommend. */
const USUAL = ['none', 'stock', 'balanced', 'calm'];

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['none', 'no consolidation'],
  ['stock', 'Karpenter'],
  ['balanced', 'Karpenter with its Balanced policy'],
  ['rfc', 'Decant with the defaults of the design documents'],
  ['calm', 'Decant as recommended: fewer evictions'],
]);

/** The first is the policy of the cluster shown, if it has one of its own. */
function preselected(policies: readonly string[]): readonly string[] {
  return policies.filter((policy, i) => i === 0 || USUAL.includes(policy));
}

/** Starts simulations of the embedded cluster. */
export function RunForm({ choices, isRunning }: { choices: LabChoices; isRunning: boolean }) {
  const [request, setRequest] = useState<LabRequest>({
    workload: choices.workloads[0] ?? '',
    policies: preselected(choices.policies),
    seeds: 1,
    days: Math.min(1, choices.mostDays),
  });
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const start = async () => {
    setProblem(undefined);
    const { data, failure } = await ask<LabRun>('/api/lab/runs', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(request),
    });
    if (data !== undefined) {
      labRun.value = data;
      remember({ run: undefined });
    }
    setProblem(failure?.message);
  };
  const toggle = (policy: string) => {
    const chosen = request.policies.includes(policy)
      ? request.policies.filter((each) => each !== policy)
      : choices.policies.filter((each) => each === policy || request.policies.includes(each));
    setRequest({ ...request, policies: chosen });
  };
  return (
    <form
      class="run-form card"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <label>
        Workload{' '}
        <select
          value={request.workload}
          onChange={(event) => setRequest({ ...request, workload: event.currentTarget.value })}
        >
          {choices.workloads.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <Amount
        name="Days"
        value={request.days}
        most={choices.mostDays}
        step="any"
        set={(days) => setRequest({ ...request, days })}
      />
      <Amount
        name="Seeds"
        value={request.seeds}
        most={choices.mostSeeds}
        step="1"
        set={(seeds) => setRequest({ ...request, seeds })}
      />
      <fieldset>
        <legend>Policies</legend>
        {choices.policies.map((policy) => (
          <label key={policy}>
            <input type="checkbox" checked={request.policies.includes(policy)} onChange={() => toggle(policy)} />{' '}
            {policy} <span class="quiet">{MEANINGS.get(policy)}</span>
          </label>
        ))}
      </fieldset>
      <button type="submit" class="primary" disabled={isRunning || request.policies.length === 0}>
        {isRunning ? 'Running…' : 'Compare'}
      </button>
      {problem !== undefined && (
        <p class="notice error" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

interface FieldProperties {
  readonly name: string;
  readonly value: number;
  readonly most: number;
  readonly step: string;
  readonly set: (value: number) => void;
}

function Amount({ name, value, most, step, set }: FieldProperties) {
  return (
    <label>
      {name}{' '}
      <input
        type="number"
        min={step === '1' ? 1 : 0.05}
        max={most}
        step={step}
        value={value}
        required
        onInput={(event) => set(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}
