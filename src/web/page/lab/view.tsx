import { useRef } from 'preact/hooks';
import type { Comparison, TotalRow } from '../../../lab/comparison.ts';
import { extentText } from '../../../lab/figures.ts';
import { pointLabels } from '../../../lab/point-labels.ts';
import { scatter } from '../../../lab/scatter-chart.ts';
import { count } from '../../../report/money.ts';
import type { LabAnswer, LabRequest, LabRun } from '../../api.ts';
import { ask, useAnswer } from '../answers.ts';
import { query, remember } from '../navigation.ts';
import { labRun } from '../state.ts';
import { ViewHeader } from '../view-header.tsx';
import { Waiting } from '../waiting.tsx';
import { useWidth } from '../width.ts';
import { Configuration } from '../yaml.tsx';
import { FigureTable, hasLetters, TOTAL_COLUMNS, WORKLOAD_COLUMNS } from './figure-table.tsx';
import { findingInWords } from './finding.ts';
import { Preference } from './preference.tsx';
import { RunForm } from './run-form.tsx';
import { Runs } from './runs.tsx';

export function LabView() {
  const asked = query.value.get('run');
  const answer = useAnswer<LabAnswer>(asked === null ? '/api/lab' : `/api/lab?run=${encodeURIComponent(asked)}`).value;
  if (answer.data === undefined) return <Waiting answer={answer} what="the lab" />;
  const { about, choices, comparison, configurations, failure, results, shown } = answer.data;
  const running = labRun.value ?? answer.data.running;
  return (
    <>
      <ViewHeader name="Policy lab" title={about?.title ?? titleOf(comparison)}>
        <p class="lead">{about?.lead ?? ABOUT}</p>
      </ViewHeader>
      {failure !== undefined && <p class="notice error">The last run failed: {failure}</p>}
      {running !== undefined && <Progress run={running} />}
      {choices !== undefined && <RunForm choices={choices} isRunning={running !== undefined} />}
      {results.length > 1 && <Results results={results} shown={shown} />}
      {comparison === undefined ? (
        <p class="empty">
          {choices !== undefined ? (
            'Compare simulates each policy on the workload above. The server keeps the last ten results.'
          ) : (
            <>
              <code>decant compare</code> runs policies against each other.
            </>
          )}
        </p>
      ) : (
        <>
          {about === undefined && (
            <Preference
              rows={comparison.total ?? comparison.workloads[0]?.rows ?? []}
              configurations={configurations}
            />
          )}
          <Compared comparison={comparison} />
        </>
      )}
      {Object.keys(configurations).length > 0 && (
        <section class="card" aria-labelledby="paste">
          <h2 id="paste">Configuration to paste</h2>
          {Object.entries(configurations).map(([policy, configuration]) => (
            <details key={policy}>
              <summary>
                <b>{policy}</b> <span class="consequence">{configuration.summary}</span>
              </summary>
              <Configuration configuration={configuration} />
            </details>
          ))}
        </section>
      )}
    </>
  );
}

const ABOUT = 'What each policy costs, in money and in evictions, on the same cluster with the same random seeds.';

function titleOf(comparison: Comparison | undefined): string {
  if (comparison === undefined) return 'Nothing compared yet';
  return findingInWords(comparison.total ?? comparison.workloads[0]?.rows ?? []);
}

function Progress({ run: { request, share } }: { run: LabRun }) {
  const cancel = () =>
    ask('/api/lab/cancel', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
  return (
    <p class="running" role="status">
      <label>
        {requestInWords(request)}: {Math.round(100 * share)} % <progress value={share} />
      </label>{' '}
      <button type="button" onClick={cancel}>
        Cancel
      </button>
    </p>
  );
}

function requestInWords({ workload, policies, seeds, days }: LabRequest): string {
  const compared = policies.length > 3 ? `${policies.length} policies` : policies.join(', ');
  return `${workload}, ${compared}, ${count(days, 'day')}, ${count(seeds, 'seed')}`;
}

function Results({ results, shown }: Pick<LabAnswer, 'results' | 'shown'>) {
  return (
    <p>
      <label>
        Results{' '}
        <select value={shown} onChange={(event) => remember({ run: event.currentTarget.value })}>
          {results.map(({ id, request }) => (
            <option key={id} value={id}>
              {`#${id} ${requestInWords(request)}`}
            </option>
          ))}
        </select>
      </label>
    </p>
  );
}

function Compared({ comparison: { workloads, total, days } }: { comparison: Comparison }) {
  const seeds = Math.max(1, ...workloads.flatMap(({ rows }) => rows.map((row) => row.seeds)));
  return (
    <>
      <p class="quiet">
        {extentText(days, seeds)}. Green is the Pareto front: no other policy is at least as cheap and as calm.
      </p>
      {total !== undefined && (
        <section class="card" aria-labelledby="total">
          <h2 id="total">All workloads together</h2>
          <Front rows={total} label="All workloads: cost against evictions" />
          <FigureTable columns={TOTAL_COLUMNS} rows={total} name="Table of all workloads" />
        </section>
      )}
      {workloads.map(({ name, rows }) => (
        <section key={name} class="card" aria-labelledby={`workload-${name}`}>
          <h2 id={`workload-${name}`}>{name}</h2>
          <Front rows={rows} label={`${name}: cost against evictions`} />
          <FigureTable columns={WORKLOAD_COLUMNS} rows={rows} name={`Table of ${name}`} />
          <Runs workload={name} rows={rows} />
        </section>
      ))}
    </>
  );
}

/** Width before it is measured. */
const NARROWEST = 300;

function Front({ rows, label }: { rows: readonly TotalRow[]; label: string }) {
  const svg = useRef<SVGSVGElement>(null);
  const width = Math.max(NARROWEST, useWidth(svg));
  const labels = hasLetters(rows) ? pointLabels(rows) : rows.map(({ policy }) => policy.name);
  const { height, frame, xTicks, yTicks, stairs, points } = scatter(rows, labels, width);
  return (
    <svg ref={svg} class="chart front" height={height} role="img" aria-label={label}>
      <path class="axis" d={frame} fill="none" />
      {yTicks.map(({ text, x, y }) => (
        <text key={`y ${y}`} class="tick end" x={x} y={y}>
          {text}
        </text>
      ))}
      {xTicks.map(({ text, x, y }) => (
        <text key={`x ${x}`} class="tick middle" x={x} y={y}>
          {text}
        </text>
      ))}
      <text class="tick end" x={width - 24} y={height - 4}>
        evictions
      </text>
      <text class="tick" x={4} y={14}>
        cost
      </text>
      {stairs !== '' && <path class="stairs" d={stairs} />}
      {points.map(({ x, y, label: name, labelAt, about, onFront }) => (
        <g key={about}>
          <circle class={`point ${onFront ? 'front-point' : ''}`} cx={x} cy={y} r="6">
            <title>{about}</title>
          </circle>
          <text class={labelAt.toLeft ? 'to-left' : undefined} x={labelAt.x} y={labelAt.y}>
            {name}
          </text>
        </g>
      ))}
    </svg>
  );
}
