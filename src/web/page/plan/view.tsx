import { count, grouped, perHour, perMonth } from '../../../report/money.ts';
import type { ClusterColumns, PlanAnswer, PlanContent as PlanData } from '../../api.ts';
import { useAnswer } from '../answers.ts';
import { type NodeFacts, poolTitle } from '../cluster/node-facts.ts';
import { ClusterPicture } from '../cluster/picture.tsx';
import { usePictureHeight } from '../cluster/picture-height.ts';
import { href, navigate } from '../navigation.ts';
import { nodePath } from '../route.ts';
import { Tile } from '../tile.tsx';
import { Waiting } from '../waiting.tsx';
import { BoundNote } from './bound.tsx';
import { Gains } from './gains.tsx';
import { Moves } from './moves.tsx';

export function PlanView() {
  const answer = useAnswer<PlanAnswer>('/api/plan').value;
  if (answer.data === undefined) return <Waiting answer={answer} what="the plan" />;
  const { plan, planning } = answer.data;
  if (plan === undefined) {
    return (
      <div class="empty">
        <h1>Plan</h1>
        <label>
          Looking for one… <progress value={planning.state === 'working' ? planning.share : 0} />
        </label>
      </div>
    );
  }
  return <Planned plan={plan} />;
}

function Planned({ plan }: { plan: PlanData }) {
  const { totals, moves, effort, notes } = plan;
  const { planned, centsPerHour } = totals;
  if (moves.length === 0) {
    return (
      <>
        <header class="headline">
          <h1>Nothing to do</h1>
          <p class="lead">
            No node can go at a saving, or something blocks it: <a href={href('/')}>the cluster view</a> says what.
          </p>
          <p class="quiet">{effort}</p>
        </header>
        {centsPerHour > 0 && (
          <dl class="tiles">
            <BoundNote bound={plan.bound} />
          </dl>
        )}
      </>
    );
  }
  return (
    <>
      <header class="headline">
        <h1>
          {count(planned.moves, 'move')} save{planned.moves === 1 ? 's' : ''}{' '}
          <span class="good">{perHour(planned.savingsCentsPerHour)}</span>
        </h1>
        <p class="lead">
          {perHour(centsPerHour)} → {perHour(planned.centsPerHour)}, {perMonth(planned.savingsCentsPerHour)} a month,
          for {count(planned.evictions, 'eviction')} in {count(planned.waves, 'wave')}.
        </p>
        <p class="quiet">
          {effort} {notes.join(' ')}
        </p>
      </header>
      <Figures plan={plan} />
      <Sides plan={plan} />
      <div class="columns">
        <Moves moves={moves} />
        <Gains moves={moves} />
      </div>
    </>
  );
}

function Figures({ plan: { totals, bound } }: { plan: PlanData }) {
  const { planned, nodes, centsPerHour } = totals;
  const perEviction = planned.evictions === 0 ? undefined : planned.savingsCentsPerHour / planned.evictions;
  return (
    <dl class="tiles">
      <Tile name="Saves" note={`of ${perHour(centsPerHour)}`}>
        {`${((100 * planned.savingsCentsPerHour) / Math.max(centsPerHour, 1e-9)).toFixed(1)} %`}
      </Tile>
      <Tile name="Nodes" note={`now ${grouped(String(nodes))}`}>
        {grouped(String(planned.nodes))}
      </Tile>
      <Tile name="Evictions" note={perEviction === undefined ? 'no pod moves' : `${perHour(perEviction)} for each`}>
        {grouped(String(planned.evictions))}
      </Tile>
      <BoundNote bound={bound} />
    </dl>
  );
}

function Sides({ plan: { before, after, totals } }: { plan: PlanData }) {
  const height = usePictureHeight();
  return (
    <section class="sides" aria-label="Packing before and after">
      <Side
        title={`Now: ${count(before.nodes.name.length, 'node')}, ${perHour(totals.centsPerHour)}`}
        packing={before}
        beside={after}
        height={0.7 * height}
      />
      <Side
        title={`Planned: ${count(after.nodes.name.length, 'node')}, ${perHour(totals.planned.centsPerHour)}`}
        packing={after}
        beside={before}
        height={0.7 * height}
      />
    </section>
  );
}

/** Groups of leaving and new nodes come before the pools. */
const FIRST = ['leaving', 'new'];

function groupOf(node: NodeFacts): string {
  if (node.decision === 'new') return 'new';
  return node.decision === 'delete' || node.decision === 'replace' ? 'leaving' : poolTitle(node);
}

interface SideProperties {
  readonly title: string;
  readonly packing: ClusterColumns;
  readonly beside: ClusterColumns;
  readonly height: number;
}

function Side({ title, packing, beside, height }: SideProperties) {
  const open = (name: string) => {
    if (packing.names.decisions[packing.nodes.decision[packing.nodes.name.indexOf(name)]] !== 'new')
      navigate(nodePath(name));
  };
  return (
    <figure class="card">
      <figcaption>{title}</figcaption>
      <ClusterPicture
        packing={packing}
        groupOf={groupOf}
        first={FIRST}
        beside={beside}
        height={height}
        label={title}
        open={open}
      />
    </figure>
  );
}
