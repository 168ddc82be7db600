const DURATION = 'a duration in h, m and s such as "30s" or "2h30m", or "Never"';
const CENTS = 'a decimal number of at least 0 such as "1" or "0.5"';
const PERCENT = 'a percentage from "0" to "100" without a sign such as "20", or "auto"';
const K = 'a number above 0: a whole number, or a decimal as a string such as "1.5"';
const NODES = 'a number of nodes such as "3", or a percentage from "0%" to "100%"';
const CRON =
  'a cron schedule of five fields such as "0 9 * * mon-fri", or @hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually';
const ZONE = 'a time zone of the IANA database such as "Europe/Berlin" or "UTC"';
const WINDOW = 'a duration in h and m such as "8h" or "1h30m"';
const FIELDS =
  'consolidationPolicy, consolidateAfter, consolidationGracePeriod, consolidationSavingsThresholdCents, consolidationMinSavingsPercent, balancedK, ttlSecondsAfterEmpty, consolidation, budgets, headroom, minNodes, maxShareOnOneNode, moveSingletons';
const TTL = 'only with consolidateAfter "Never": consolidation removes empty nodes itself';

/** Disruption blocks with one mistake each: block, field below it, value, what is allowed. */
export const BAD_BLOCKS: readonly [unknown, string, unknown, string][] = [
  [
    { headroom: { cpu: 'a lot' } },
    '.headroom.cpu',
    'a lot',
    'cores such as "4" or "500m", or a percentage such as "10%"',
  ],
  [
    { headroom: { memory: '101%' } },
    '.headroom.memory',
    '101%',
    'an amount such as "16Gi", or a percentage such as "10%"',
  ],
  [
    { headroom: { pods: { count: '-1', cpu: '1' } } },
    '.headroom.pods.count',
    '-1',
    'a number of pods such as "5", or a percentage such as "10%"',
  ],
  [{ minNodes: -1 }, '.minNodes', -1, 'a whole number of at least 0'],
  [{ maxShareOnOneNode: '0%' }, '.maxShareOnOneNode', '0%', 'a percentage from "1%" to "100%"'],
  // The documents' own list.
  [{ consolidationSavingsThresholdCents: '-1' }, '.consolidationSavingsThresholdCents', '-1', CENTS],
  [{ consolidationSavingsThresholdCents: 'abc' }, '.consolidationSavingsThresholdCents', 'abc', CENTS],
  [
    { consolidationSavingsThresholdCents: 1 },
    '.consolidationSavingsThresholdCents',
    1,
    `a string, not a number: ${CENTS}`,
  ],
  [{ consolidationGracePeriod: '5x' }, '.consolidationGracePeriod', '5x', DURATION],
  [
    { consolidationPolicy: 'WhenBored' },
    '.consolidationPolicy',
    'WhenBored',
    'one of WhenEmpty, WhenCheaper, WhenUnderutilized, WhenUnderutilizedOrCheaper, WhenEmptyOrUnderutilized, Balanced',
  ],
  [
    { consolidation: { emptiness: { emptyThreshold: '130%' } } },
    '.consolidation.emptiness.emptyThreshold',
    '130%',
    'a percentage from "0%" to "100%"',
  ],
  [
    { consolidationPolicy: 'WhenCheaper', consolidation: { multiNode: { enabled: true } } },
    '.consolidation.multiNode.enabled',
    true,
    'false, because consolidationPolicy WhenCheaper leaves multiNode out; or one of the policies WhenUnderutilized, WhenUnderutilizedOrCheaper, WhenEmptyOrUnderutilized, Balanced',
  ],
  [{ ttlSecondsAfterEmpty: 30 }, '.ttlSecondsAfterEmpty', 30, TTL],
  [{ ttlSecondsAfterEmpty: 30, consolidateAfter: '1m' }, '.ttlSecondsAfterEmpty', 30, TTL],
  [
    { budgets: [{ nodes: '1', schedule: '0 9 * * *' }] },
    '.budgets[0].schedule',
    '0 9 * * *',
    'only together with duration, such as "8h"',
  ],
  [{ budgets: [{ schedule: '61 * * * *', duration: '1h' }] }, '.budgets[0].schedule', '61 * * * *', CRON],

  // The same kinds of mistake elsewhere.
  [{ consolidationSavingsThresholdCents: '' }, '.consolidationSavingsThresholdCents', '', CENTS],
  [{ consolidationSavingsThresholdCents: '1e3' }, '.consolidationSavingsThresholdCents', '1e3', CENTS],
  [{ consolidationSavingsThresholdCents: 'NaN' }, '.consolidationSavingsThresholdCents', 'NaN', CENTS],
  [{ consolidationMinSavingsPercent: '20%' }, '.consolidationMinSavingsPercent', '20%', PERCENT],
  [{ consolidationMinSavingsPercent: '101' }, '.consolidationMinSavingsPercent', '101', PERCENT],
  [{ consolidationMinSavingsPercent: 20 }, '.consolidationMinSavingsPercent', 20, `a string, not a number: ${PERCENT}`],
  [{ balancedK: 0 }, '.balancedK', 0, K],
  [{ balancedK: 1.5 }, '.balancedK', 1.5, K],
  [{ balancedK: '0.0' }, '.balancedK', '0.0', K],
  [{ balancedK: '-2' }, '.balancedK', '-2', K],
  [{ consolidateAfter: 30 }, '.consolidateAfter', 30, `a string, not a number: ${DURATION}`],
  [{ consolidateAfter: '9999999999h' }, '.consolidateAfter', '9999999999h', 'at most 2562047h, 292 years'],
  [{ consolidateAfter: '2562047h47m17s' }, '.consolidateAfter', '2562047h47m17s', 'at most 2562047h, 292 years'],
  [
    { ttlSecondsAfterEmpty: -1, consolidateAfter: 'Never' },
    '.ttlSecondsAfterEmpty',
    -1,
    'a whole number of at least 0',
  ],
  [
    { consolidation: { emptiness: { emptyThreshold: '30' } } },
    '.consolidation.emptiness.emptyThreshold',
    '30',
    'a percentage from "0%" to "100%"',
  ],
  [
    { consolidation: { multiNode: { maxParallel: 0 } } },
    '.consolidation.multiNode.maxParallel',
    0,
    'a whole number of at least 1',
  ],
  [{ consolidation: { singleNode: { enabled: 'no' } } }, '.consolidation.singleNode.enabled', 'no', 'true or false'],
  [{ budgets: [{ nodes: '101%' }] }, '.budgets[0].nodes', '101%', NODES],
  [{ budgets: [{ nodes: '-1' }] }, '.budgets[0].nodes', '-1', NODES],
  [{ budgets: [{ nodes: 10 }] }, '.budgets[0].nodes', 10, `a string, not a number: ${NODES}`],
  [{ budgets: [{ nodes: '2147483648' }] }, '.budgets[0].nodes', '2147483648', 'at most 2147483647 nodes'],
  [{ budgets: [{ schedule: '@every 5m', duration: '1h' }] }, '.budgets[0].schedule', '@every 5m', CRON],
  [{ budgets: [{ schedule: '@daily', duration: '30s' }] }, '.budgets[0].duration', '30s', WINDOW],
  [
    { budgets: [{}, { duration: '8h' }] },
    '.budgets[1].duration',
    '8h',
    'only together with schedule, such as "0 9 * * mon-fri"',
  ],
  [
    { budgets: [{ reasons: ['Empty', 'Drift'] }] },
    '.budgets[0].reasons[1]',
    'Drift',
    'one of Underutilized, Empty, Drifted, Unhealthy',
  ],
  [
    { budgets: [{ schedule: '@daily', duration: '8h', timeZone: 'Europe/Bonn' }] },
    '.budgets[0].timeZone',
    'Europe/Bonn',
    ZONE,
  ],
  [{ budgets: [{ schedule: '@daily', duration: '8h', timeZone: '+02:00' }] }, '.budgets[0].timeZone', '+02:00', ZONE],
  [{ budgets: [{ schedule: '@daily', duration: '8h', timeZone: 'Local' }] }, '.budgets[0].timeZone', 'Local', ZONE],
  [
    { budgets: [{ timeZone: 'Europe/Berlin' }] },
    '.budgets[0].timeZone',
    'Europe/Berlin',
    'only together with schedule, which it is the time zone of',
  ],
  [{ budgets: [null] }, '.budgets[0]', null, 'an object with nodes, schedule, duration, timeZone, reasons'],
  [
    { consolidateAftr: '30s' },
    '.consolidateAftr',
    '30s',
    `no field of this name: did you mean consolidateAfter? The fields here are ${FIELDS}`,
  ],
  [{ expireAfter: '720h' }, '.expireAfter', '720h', `no field of this name. The fields here are ${FIELDS}`],
  [
    { consolidation: { multinode: { enabled: false } } },
    '.consolidation.multinode',
    { enabled: false },
    'no field of this name: did you mean multiNode? The fields here are singleNode, multiNode, emptiness',
  ],
  [
    { budgets: [{ node: '1' }] },
    '.budgets[0].node',
    '1',
    'no field of this name: did you mean nodes? The fields here are nodes, schedule, duration, timeZone, reasons',
  ],
  [[], '', [], `an object with ${FIELDS}`],
  ['Never', '', 'Never', `an object with ${FIELDS}`],
];
