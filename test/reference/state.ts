import type { Simulation } from '../../src/engine/scheduling/simulation.ts';

/**
 * Everything that a simulation may change, copied. Some of it is private to the engine, and rightly so; whether it comes
 * back is this test's business all the same. Memories that only save work (compatibility, prices) are left out.
 */
export function stateOf(simulation: Simulation): unknown {
  const { cluster, existing, fresh } = simulation;
  const { counts } = cluster;
  return {
    free: cluster.free.map((column) => [...column]),
    pods: counts.pods.map((column) => [...column]),
    hosts: counts.hosts.entries(),
    populated: [...counts.populated],
    registered: hidden<{ nodes: Int32Array }[]>(counts, 'registrations').map((r) => [...r.nodes]),
    journal: hidden<number[]>(counts, 'journal').length,
    limits: structuredClone(hidden(cluster.limits, 'left')),
    ports: withoutEmpty(hidden<Map<number, unknown[]>>(cluster.ports, 'byRow'), (list) => list.length),
    volumes: [...hidden<Map<number, { users: Map<string, Map<string, number>> }>>(cluster.volumeLimits, 'byRow')].map(
      ([row, { users }]) => [row, withoutEmpty(users, (claims) => claims.size)],
    ),
    reservations: [...hidden<Map<string, number>>(hidden(fresh, 'reservations'), 'free')],
    claims: fresh.claims.length,
    gone: ['gone', 'removed', 'excluded'].map((field) => [...hidden<Uint32Array>(existing, field)]),
    grown: [...hidden<Map<number, number>>(existing, 'grown')],
    placements: hidden<unknown[]>(simulation, 'placements').length,
    layers: simulation.depth,
    alwaysPlaced: hidden<boolean>(simulation, 'alwaysPlaced'),
    freeIndex: cluster.freeIndex.map((index) => {
      // Its steps are made with the first question.
      index.atLeast(0);
      const steps = hidden<object>(index, 'built');
      const amounts = hidden<Float64Array>(steps, 'steps');
      return {
        stepOfRow: [...hidden<Int32Array>(steps, 'stepOfRow')],
        sets: Array.from(amounts, (amount) => [...index.atLeast(amount)]),
        summaries: Array.from(amounts, (amount) => [...index.summaryOf(amount)]),
      };
    }),
    opened: hidden<number>(fresh, 'opened'),
  };
}

function hidden<T>(owner: object, field: string): T {
  if (!(field in owner))
    throw new Error(`${owner.constructor.name} has no ${field} any more: say here what replaced it`);
  return Reflect.get(owner, field);
}

/** A list or map that is empty again is as good as one that never was. */
function withoutEmpty<K, V>(map: ReadonlyMap<K, V>, size: (value: V) => number): unknown {
  return structuredClone([...map].filter(([, value]) => size(value) > 0));
}
