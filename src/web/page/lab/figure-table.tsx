import type { ComparedRow, TotalRow } from '../../../lab/comparison.ts';
import { costText, countOf, lifetime, lostText, savingsText, secondsInWords } from '../../../lab/figures.ts';
import { pointLabels } from '../../../lab/point-labels.ts';
import { ColumnTitles } from '../column-titles.tsx';
import { Scrolling } from '../scrolling.tsx';

interface Column<T> {
  readonly title: string;
  readonly of: (row: T) => string;
}

export const TOTAL_COLUMNS: readonly Column<TotalRow>[] = [
  { title: 'Cost', of: ({ cost }) => costText(cost) },
  { title: 'Saved', of: ({ savings }) => savingsText(savings) },
  { title: 'Evictions', of: ({ evictions }) => countOf(evictions.mean) },
  { title: 'Job hours lost', of: ({ lostPodHours }) => lostText(lostPodHours.mean) },
  { title: 'Evicted again', of: ({ reevictions }) => countOf(reevictions.mean) },
  { title: 'Unavailable', of: ({ unavailablePodSeconds }) => secondsInWords(unavailablePodSeconds.mean) },
];

export const WORKLOAD_COLUMNS: readonly Column<ComparedRow>[] = [
  ...TOTAL_COLUMNS,
  { title: 'Node life, median', of: (row) => lifetime(row.nodeLifetimeP50Minutes.mean) },
  { title: 'Node life, 95 %', of: (row) => lifetime(row.nodeLifetimeP95Minutes.mean) },
  { title: 'Pending, 95 %', of: (row) => secondsInWords(row.pendingP95Seconds.mean) },
  { title: 'Commands', of: (row) => countOf(row.commands.mean) },
];

/** With more, names overlap in the plot. */
const MOST_NAMES = 8;

/** Whether the plot uses letters instead of policy names. */
export function hasLetters(rows: readonly TotalRow[]): boolean {
  return rows.length > MOST_NAMES;
}

interface Properties<T> {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly name: string;
}

export function FigureTable<T extends TotalRow>({ columns, rows, name }: Properties<T>) {
  const letters = hasLetters(rows) ? pointLabels(rows) : undefined;
  return (
    <Scrolling name={name}>
      <table>
        <ColumnTitles
          of={[
            ...(letters === undefined ? [] : [{ unseen: 'In the plot' }]),
            'Policy',
            ...columns.map(({ title }) => ({ number: title })),
          ]}
        />
        <tbody>
          {rows.map((row, i) => (
            <tr key={row.policy.name} class={row.onFront ? 'on-front' : undefined}>
              {letters !== undefined && <td>{letters[i]}</td>}
              <th scope="row">{row.policy.name}</th>
              {columns.map(({ title, of }) => (
                <td key={title} class="number">
                  {of(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}
