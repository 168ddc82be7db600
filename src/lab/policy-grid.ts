import { nearest } from '../config/did-you-mean.ts';
import type { Problem } from '../config/problem.ts';
import { readPoolPolicy } from '../config/read-pool-policy.ts';
import { type NamedPolicy, policySettings } from './named-policy.ts';

/** One dimension of the grid: its flag and what its values change. */
interface Axis {
  readonly flag: GridFlag;
  changed(policy: NamedPolicy, value: string): NamedPolicy;
}

export type GridFlag = 'threshold' | 'grace' | 'utilization';

/** Comma-separated values by flag. */
export type Grid = Partial<Readonly<Record<GridFlag, string>>>;

const AXES: readonly Axis[] = [
  {
    flag: 'threshold',
    changed: (policy, value) => withField(policy, { consolidationSavingsThresholdCents: value }),
  },
  {
    flag: 'grace',
    // 0 also removes a grace period of the pool.
    changed: (policy, value) => withField(policy, { consolidationGracePeriod: value === '0' ? 'Never' : value }),
  },
  {
    flag: 'utilization',
    changed: (policy, value) => ({
      ...policy,
      switches: { ...policy.switches, 'scaledown-utilization-threshold': value },
    }),
  },
];

/** Protects against typing errors. */
const MAX_POLICIES = 1000;

export type GridReading = { readonly policies: readonly NamedPolicy[] } | { readonly problems: readonly Problem[] };

/** All combinations over `base`, the last axis varying fastest; none for an empty grid. */
export function gridPolicies(grid: Grid, base: NamedPolicy): GridReading {
  const axes = AXES.flatMap((axis) => {
    const text = grid[axis.flag];
    return text === undefined ? [] : [{ axis, values: text.split(',').map((value) => value.trim()) }];
  });
  const problems = axes.flatMap(({ axis, values }) => axisProblems(axis, values, base));
  if (problems.length > 0) return { problems };
  const size = axes.reduce((product, { values }) => product * values.length, 1);
  if (size > MAX_POLICIES) {
    return {
      problems: [{ object: 'command line', field: 'grid', value: size, allowed: `at most ${MAX_POLICIES} policies` }],
    };
  }
  if (axes.length === 0) return { policies: [] };
  let policies: readonly NamedPolicy[] = [{ ...base, name: '' }];
  for (const { axis, values } of axes) {
    policies = policies.flatMap((policy) => {
      return values.map((value) => {
        const name = [policy.name, `${axis.flag}=${value}`].filter((part) => part !== '').join(' ');
        return { ...axis.changed(policy, value), name };
      });
    });
  }
  return { policies };
}

function axisProblems(axis: Axis, values: readonly string[], base: NamedPolicy): Problem[] {
  const where = { object: 'command line', field: `--${axis.flag}` };
  return values.flatMap((value, i) => {
    if (values.indexOf(value) !== i) return [{ ...where, value, allowed: 'every value once' }];
    const { disruption, switches } = axis.changed({ ...base, disruption: {}, switches: {} }, value);
    const readings = [readPoolPolicy('', disruption), policySettings(switches)];
    return readings.flatMap((reading) => {
      return 'problems' in reading ? reading.problems.map(({ allowed }) => ({ ...where, value, allowed })) : [];
    });
  });
}

function withField(policy: NamedPolicy, field: NamedPolicy['disruption']): NamedPolicy {
  return { ...policy, disruption: { ...policy.disruption, ...field } };
}

/** The problem of a policy that is neither built in nor a file. */
export function unknownPolicy(flag: string, given: string, builtIn: readonly string[]): Problem {
  const meant = nearest(given, builtIn);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return {
    object: 'command line',
    field: flag,
    value: given,
    allowed: `${builtIn.join(', ')}, or the path of a YAML file${hint}`,
  };
}
