/**
 * Sorts and filters the table of nodes, and leads from a box in the picture to its row. Without it the page
 * still shows everything. A change of one letter changes its hash: the test of the page says the new one.
 */
export const SCRIPT = `
const table = document.getElementById('nodes');
const body = table.tBodies[0];
const rows = [...body.rows];
const find = document.getElementById('find');
const decision = document.getElementById('decision');
const shown = document.getElementById('shown');
const texts = rows.map((row) => row.textContent.toLowerCase());

function filter() {
  const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  rows.forEach((row, i) => {
    const fits = (decision.value === '' || row.dataset.decision === decision.value) && words.every((word) => texts[i].includes(word));
    row.hidden = !fits;
    if (fits) count++;
  });
  shown.value = count + ' of ' + rows.length;
}

function sortBy(column, header) {
  const descending = header.getAttribute('aria-sort') === 'ascending';
  for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
  header.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
  const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
  const order = (a, b) => key(a).localeCompare(key(b), 'en', { numeric: true });
  const number = (a, b) => Number(key(a)) - Number(key(b));
  const sorted = [...rows].sort(rows[0]?.cells[column].dataset.value === undefined ? order : number);
  body.append(...(descending ? sorted.reverse() : sorted));
}

find.addEventListener('input', filter);
decision.addEventListener('change', filter);
for (const [column, header] of [...table.tHead.rows[0].cells].entries()) {
  header.firstChild.addEventListener('click', () => sortBy(column, header));
}
for (const box of document.querySelectorAll('[data-row]')) {
  box.addEventListener('click', () => {
    find.value = decision.value = '';
    filter();
    document.querySelector('.here')?.classList.remove('here');
    rows[box.dataset.row].classList.add('here');
    rows[box.dataset.row].scrollIntoView({ block: 'center' });
  });
}
filter();
`;
