import type { ComponentChildren } from 'preact';
import type { PolicyName } from '../../../engine/disruption/pool-policy.ts';
import type { BoundaryAnswer } from '../../api.ts';
import { wholePercent } from '../cluster/node-facts.ts';
import { highestThreshold, roundedThreshold } from './local.ts';
import { type Knob, type Knobs, ownThreshold } from './question.ts';

const POLICIES: readonly PolicyName[] = [
  'WhenEmpty',
  'WhenCheaper',
  'WhenUnderutilized',
  'WhenUnderutilizedOrCheaper',
  'Balanced',
];
const GRACES = ['Never', '5m', '15m', '30m', '1h', '6h', '24h'];

interface Properties {
  readonly answer: BoundaryAnswer;
  readonly knobs: Knobs;
  readonly threshold: number;
  /** `rests`: the slider was released. */
  readonly turn: (knob: Knob, value: string | undefined, rests: boolean) => void;
  readonly reset: () => void;
}

/** Steps of a threshold slider; small values get most of them. */
const STEPS = 200;

export function Controls({ answer, knobs, threshold, turn, reset }: Properties) {
  const { now, points } = answer;
  const highest = highestThreshold(points, ownThreshold(answer));
  const utilization = Number(knobs.utilization ?? now.utilization);
  const minPercent = knobs.minPercent ?? now.minPercent;
  return (
    <form class="knobs card" onSubmit={(event) => event.preventDefault()}>
      <Slider
        name="Savings threshold"
        hint="cents an hour that a unit of disruption must save"
        value={`${threshold} ¢`}
        position={Math.round(STEPS * Math.sqrt(Math.min(1, threshold / highest)))}
        most={STEPS}
        turn={(step, rests) => turn('threshold', String(roundedThreshold(highest * (step / STEPS) ** 2)), rests)}
      />
      <Slider
        name="Utilization gate"
        hint={utilization >= 1 ? 'off' : 'nodes that are used more stay'}
        value={wholePercent(utilization)}
        position={Math.round(100 * utilization)}
        most={100}
        turn={(step, rests) => turn('utilization', String(step / 100), rests)}
      />
      <Slider
        name="Minimum percent"
        hint="of the price of what is removed"
        value={minPercent === undefined ? 'pools differ' : minPercent === 'auto' ? 'auto' : `${minPercent} %`}
        position={Number(minPercent) || 0}
        most={100}
        turn={(step, rests) => turn('minPercent', String(step), rests)}
      />
      <Choice
        name="Policy"
        value={knobs.policy}
        own={now.policy}
        options={POLICIES}
        choose={(value) => turn('policy', value, true)}
      />
      <Choice
        name="Grace period"
        value={knobs.grace}
        own={now.grace}
        options={GRACES}
        choose={(value) => turn('grace', value, true)}
      />
      <button type="button" onClick={reset}>
        Current settings
      </button>
    </form>
  );
}

interface SliderProperties {
  readonly name: string;
  readonly hint: string;
  readonly value: string;
  readonly position: number;
  readonly most: number;
  readonly turn: (step: number, rests: boolean) => void;
}

function Slider({ name, hint, value, position, most, turn }: SliderProperties): ComponentChildren {
  return (
    <label class="slider">
      <span>
        {name} <output>{value}</output>
      </span>
      <input
        type="range"
        min="0"
        max={most}
        value={position}
        aria-valuetext={value}
        onInput={(event) => turn(Number(event.currentTarget.value), false)}
        onChange={(event) => turn(Number(event.currentTarget.value), true)}
      />
      <span class="quiet">{hint}</span>
    </label>
  );
}

interface ChoiceProperties {
  readonly name: string;
  readonly value: string | undefined;
  /** The current value; undefined if the pools differ. */
  readonly own: string | undefined;
  readonly options: readonly string[];
  readonly choose: (value: string | undefined) => void;
}

function Choice({ name, value, own, options, choose }: ChoiceProperties): ComponentChildren {
  const offered = value === undefined || options.includes(value) ? options : [...options, value];
  return (
    <label class="choice">
      <span>{name}</span>
      <select value={value ?? ''} onChange={(event) => choose(event.currentTarget.value || undefined)}>
        <option value="">{own === undefined ? 'as configured; pools differ' : `as configured: ${own}`}</option>
        {offered.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
