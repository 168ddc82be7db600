import type { CostGroup } from '../../../engine/cost/allocation.ts';
import { type CostDocument, costOfNobody } from '../../../report/cost-document.ts';
import { count, grouped, perHour, perMonth } from '../../../report/money.ts';
import type { CostAnswer } from '../../money-api.ts';
import { useAnswer } from '../answers.ts';
import { ColumnTitles } from '../column-titles.tsx';
import { CsvButton } from '../csv-button.tsx';
import { query, remember } from '../navigation.ts';
import { Scrolling } from '../scrolling.tsx';
import { ShareBar } from '../share-bar.tsx';
import { Tile } from '../tile.tsx';
import { ViewHeader } from '../view-header.tsx';
import { Waiting } from '../waiting.tsx';

const GIB = 2 ** 30;
/** More rows are summed in the last one. */
const MAX_ROWS = 200;
const FIGURES = ['Pods', 'CPU', 'GiB', 'Per hour', 'Per month', 'Share'];

/** The cluster's cost, by the requests of its pods. */
export function CostView() {
  const by = query.value.get('by') ?? 'namespace';
  const answer = useAnswer<CostAnswer>(`/api/cost?by=${encodeURIComponent(by)}`).value;
  if (answer.data === undefined) return <Waiting answer={answer} what="the cost" />;
  const { document, labels } = answer.data;
  const { totals } = document;
  const { commitments } = totals;
  const idle = totals.centsPerHour === 0 ? 0 : totals.idleCentsPerHour / totals.centsPerHour;
  return (
    <>
      <ViewHeader name="Cost" title={`${perHour(totals.centsPerHour)}, ${perMonth(totals.centsPerHour)} a month`}>
        <p class="lead">
          {`${count(totals.nodes, 'node')} for ${count(totals.pods, 'pod')}; ${(100 * idle).toFixed(0)} % of the cost is idle: requested by no pod.`}
        </p>
        <p class="quiet">
          Each node's price is split by cpu, memory and GPUs in OpenCost's default proportion; a pod pays for what it
          requests.
          {totals.unpricedNodes.length > 0 &&
            ` ${count(totals.unpricedNodes.length, 'node')} without a price: not counted.`}
        </p>
      </ViewHeader>
      <dl class="tiles">
        <Tile name="Requested" note={`${perMonth(totals.allocatedCentsPerHour)} a month`}>
          {perHour(totals.allocatedCentsPerHour)}
        </Tile>
        <Tile name="Idle" note={`${perMonth(totals.idleCentsPerHour)} a month`}>
          {perHour(totals.idleCentsPerHour)}
        </Tile>
        {commitments !== undefined && (
          <Tile name="Unused commitments" note={`of ${perHour(commitments.committedCentsPerHour)} committed`}>
            {perHour(commitments.unusedCentsPerHour)}
          </Tile>
        )}
      </dl>
      <section class="card">
        <div class="title">
          <h2>By {by.replace(/^label:/, 'label ')}</h2>
          <GroupBy by={by} labels={labels} />
          <CsvButton name={`cost-by-${by.replace(/[^\w.-]/g, '-')}`} rows={() => csvRows(document)} />
        </div>
        <Groups document={document} />
      </section>
    </>
  );
}

function GroupBy({ by, labels }: { by: string; labels: readonly string[] }) {
  const fixed = ['namespace', 'workload', 'pool', 'node'];
  const all = [...fixed, ...labels.map((key) => `label:${key}`)];
  return (
    <label>
      Group by{' '}
      <select value={by} onChange={(event) => remember({ by: event.currentTarget.value })}>
        {(all.includes(by) ? all : [...all, by]).map((each) => (
          <option key={each} value={each}>
            {each.replace(/^label:/, 'label ')}
          </option>
        ))}
      </select>
    </label>
  );
}

function Groups({ document }: { document: CostDocument }) {
  const { by, groups, totals } = document;
  const nobodys = costOfNobody(document);
  const shown = groups.slice(0, MAX_ROWS);
  const rest = groups.slice(MAX_ROWS);
  const most = Math.max(...[...groups, ...nobodys].map((each) => each.centsPerHour), 1e-9);
  const share = (cents: number) =>
    totals.centsPerHour === 0 ? '' : `${((100 * cents) / totals.centsPerHour).toFixed(1)} %`;
  const row = ({ name, pods, cpuMilli, memoryBytes, centsPerHour }: CostGroup, isSum = false) => (
    <tr key={name} class={isSum ? 'quiet' : undefined}>
      <th scope="row">{name}</th>
      <td class="number">{pods === 0 ? '' : grouped(String(pods))}</td>
      <td class="number">{cpuMilli === 0 ? '' : (cpuMilli / 1000).toFixed(1)}</td>
      <td class="number">{memoryBytes === 0 ? '' : (memoryBytes / GIB).toFixed(1)}</td>
      <td class="number">{perHour(centsPerHour)}</td>
      <td class="number">{perMonth(centsPerHour)}</td>
      <td class="number">{share(centsPerHour)}</td>
      <td class="share-cell">
        <ShareBar share={centsPerHour / most} />
      </td>
    </tr>
  );
  return (
    <Scrolling name="Cost by group">
      <table class="money">
        <ColumnTitles of={[titleOf(by), ...FIGURES.map((number) => ({ number })), { unseen: 'Share as a bar' }]} />
        <tbody>
          {shown.map((each) => row(each))}
          {rest.length > 0 && row(sumOf(rest), true)}
          {nobodys.map((each) => row({ pods: 0, cpuMilli: 0, memoryBytes: 0, ...each }, true))}
        </tbody>
      </table>
    </Scrolling>
  );
}

function csvRows(document: CostDocument) {
  const { by, groups } = document;
  return [
    [titleOf(by), 'Pods', 'CPU', 'Memory GiB', 'Dollars per hour'],
    ...groups.map((each) => [
      each.name,
      each.pods,
      each.cpuMilli / 1000,
      each.memoryBytes / GIB,
      each.centsPerHour / 100,
    ]),
    ...costOfNobody(document).map(({ name, centsPerHour }) => [name, null, null, null, centsPerHour / 100]),
  ];
}

function titleOf(by: string): string {
  return by.startsWith('label:') ? by.slice('label:'.length) : by.charAt(0).toUpperCase() + by.slice(1);
}

function sumOf(groups: readonly CostGroup[]): CostGroup {
  const sum = (figure: (group: CostGroup) => number) => groups.reduce((total, group) => total + figure(group), 0);
  return {
    name: `(${groups.length} more)`,
    pods: sum((group) => group.pods),
    cpuMilli: sum((group) => group.cpuMilli),
    memoryBytes: sum((group) => group.memoryBytes),
    centsPerHour: sum((group) => group.centsPerHour),
  };
}
