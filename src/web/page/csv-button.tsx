import { csv } from './csv.ts';

type Row = readonly (string | number | null)[];

/** Downloads a table; `rows` starts with the titles. */
export function CsvButton({ name, rows }: { name: string; rows: () => readonly Row[] }) {
  const save = () => {
    const url = URL.createObjectURL(new Blob([csv(rows())], { type: 'text/csv' }));
    const link = Object.assign(document.createElement('a'), { href: url, download: `${name}.csv` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  return (
    <button type="button" onClick={save}>
      Download CSV
    </button>
  );
}
