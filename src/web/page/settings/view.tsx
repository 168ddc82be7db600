import { count } from '../../../report/money.ts';
import type { HealthFact, PoolSettings, ProcessSetting, Setting, SettingsAnswer } from '../../settings-api.ts';
import { useAnswer } from '../answers.ts';
import { ColumnTitles } from '../column-titles.tsx';
import { Scrolling } from '../scrolling.tsx';
import { ViewHeader } from '../view-header.tsx';
import { Waiting } from '../waiting.tsx';

export function SettingsView() {
  const answer = useAnswer<SettingsAnswer>('/api/settings').value;
  if (answer.data === undefined) return <Waiting answer={answer} what="settings" />;
  const { pools, settings, health } = answer.data;
  return (
    <>
      <Verdict facts={health} />
      <Health facts={health} />
      <section aria-labelledby="pools">
        <h2 id="pools">NodePools</h2>
        {pools.length === 0 ? (
          <p class="quiet">There is no NodePool.</p>
        ) : (
          <div class="cards">
            {alike(pools).map((members) => (
              <Pools key={members[0].pool} pools={members} />
            ))}
          </div>
        )}
      </section>
      <ControllerSettings settings={settings} />
    </>
  );
}

function Verdict({ facts }: { facts: readonly HealthFact[] }) {
  const bad = facts.filter(({ status }) => status !== 'ok');
  const title = bad.length === 0 ? 'Healthy' : bad.length === 1 ? '1 problem' : `${bad.length} problems`;
  return (
    <ViewHeader name="Settings and health" title={title}>
      {bad.length > 0 && <p class="lead">{bad.map(({ name, value }) => `${name}: ${value}`).join('; ')}</p>}
    </ViewHeader>
  );
}

const MARKS: Readonly<Record<HealthFact['status'], string>> = { ok: '✓', warning: '!', error: '✗' };

function Health({ facts }: { facts: readonly HealthFact[] }) {
  return (
    <dl class="tiles">
      {facts.map(({ name, value, status }) => (
        <div key={name} class={`tile ${status}`}>
          <dt>
            <span aria-hidden="true">{MARKS[status]} </span>
            {name}
            {status !== 'ok' && <span class="unseen"> ({status})</span>}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function alike(pools: readonly PoolSettings[]): readonly (readonly PoolSettings[])[] {
  const rules = ({ policy, blockReason, fields }: PoolSettings) => JSON.stringify([policy, blockReason, fields]);
  return [...Map.groupBy(pools, rules).values()];
}

/** Pools with the same settings share a table. */
function Pools({ pools }: { pools: readonly PoolSettings[] }) {
  const [{ policy, blockReason, fields }] = pools;
  const nodes = pools.reduce((sum, pool) => sum + pool.nodes, 0);
  return (
    <article class="card">
      <h3>
        {pools.map(({ pool }) => pool).join(', ')} <span class="quiet">{count(nodes, 'node')}</span>
      </h3>
      {policy !== undefined && <p class="quiet">under ConsolidationPolicy {policy}</p>}
      {blockReason !== undefined && <p class="notice warning">{blockReason}</p>}
      <table class="settings">
        <tbody>
          {fields.map((field) => (
            <tr key={field.name} class={field.from === 'default' ? 'quiet' : undefined}>
              <th scope="row">{field.name}</th>
              <td>{field.value}</td>
              <td class="unbroken">
                <Origin setting={field} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  );
}

function Origin({ setting: { from } }: { setting: Setting }) {
  return <span class={`origin ${from === 'default' ? '' : 'origin-set'}`}>{from}</span>;
}

function ControllerSettings({ settings }: { settings: readonly ProcessSetting[] }) {
  return (
    <section class="card" aria-labelledby="controller-settings">
      <h2 id="controller-settings">Controller settings</h2>
      <Scrolling name="Table of controller settings">
        <table class="settings">
          <ColumnTitles of={['Flag', 'Value', 'From', 'Meaning']} />
          <tbody>
            {settings.map((each) => (
              <tr key={each.name} class={each.from === 'default' ? 'quiet' : undefined}>
                <th scope="row" title={each.env}>
                  {each.name}
                </th>
                <td>{each.value}</td>
                <td>
                  <Origin setting={each} />
                </td>
                <td>{each.help}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </section>
  );
}
