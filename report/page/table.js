// The table of cases: filter, order, rows made a hundred at a time, and the row that is open.

const TABLE_CHUNK = 100;

const table = {
    filter: { text: '', suite: '', verdicts: new Set(VERDICTS) },
    order: { column: null, down: false },
    shown: [],         // cases that pass the filter, in order
    made: 0,           // of them, how many have a row
    open: new Set(),   // indices of cases whose details are open
    reach: 1,
    listeners: [],     // told when `shown` has changed
};

function passes(item) {
    const { text, suite, verdicts } = table.filter;
    return verdicts.has(item.verdict) && (suite === '' || String(item.json.suite) === suite) &&
        text.split(/\s+/).every((word) => item.search.includes(word));
}

const collator = new Intl.Collator('en', { numeric: true });

function compareBy({ column, down }) {
    const sign = down ? -1 : 1;
    return (x, y) => {
        const [p, q] = [column.by(x), column.by(y)];
        if (typeof p === 'string') return sign * collator.compare(p, q);
        const missing = Number.isNaN(p) - Number.isNaN(q);
        return missing || sign * (p - q) || x.index - y.index;
    };
}

function rowOf(item) {
    // Roles, because cards on a narrow screen are no table to a browser any more.
    const row = el('tr', { role: 'row', class: 'case', id: `case-${item.index}` },
        COLUMNS.map((column) => el(
        column.head ? 'th' : 'td', { scope: column.head ? 'row' : null,
            role: column.head ? 'rowheader' : 'cell', 'data-label': column.name,
            class: `${column.key} ${column.number ? 'number' : ''}` },
        column.content(item, table.reach))));
    row.addEventListener('click', (event) => {
        const selecting = String(window.getSelection()) !== '';
        const elsewhere = !event.target.closest('button, a') && !selecting;
        if (event.target.closest('button.open') || elsewhere) {
            setOpen(item, row, !table.open.has(item.index));
        }
    });
    return row;
}

function setOpen(item, row, open) {
    row.querySelector('button.open').setAttribute('aria-expanded', String(open));
    row.classList.toggle('opened', open);
    const after = row.nextElementSibling;
    if (after?.classList.contains('detail')) after.remove();
    if (open) {
        table.open.add(item.index);
        row.after(el('tr', { class: 'detail' },
            el('td', { colspan: COLUMNS.length }, detailOf(item))));
    } else {
        table.open.delete(item.index);
    }
}

function makeRows(count) {
    const rows = document.createDocumentFragment();
    for (const item of table.shown.slice(table.made, table.made + count)) {
        const row = rowOf(item);
        rows.append(row);
        if (table.open.has(item.index)) setOpen(item, row, true);
    }
    byId('rows').append(rows);
    table.made = Math.min(table.shown.length, table.made + count);
    const left = table.shown.length - table.made;
    byId('more').hidden = left === 0;
    byId('more').textContent = `Show ${Math.min(left, TABLE_CHUNK)} more (${whole(left)} left)`;
}

/// Filters and orders again, and makes the first rows.
function updateTable() {
    table.shown = cases.filter(passes);
    if (table.order.column) table.shown.sort(compareBy(table.order));
    table.made = 0;
    byId('rows').replaceChildren();
    makeRows(TABLE_CHUNK);
    if (table.shown.length === 0) {
        byId('rows').append(el('tr', { class: 'empty' }, el('td', { colspan: COLUMNS.length },
            cases.length === 0 ? 'There are no cases.' : 'No case passes the filter.')));
    }
    byId('count').textContent = table.shown.length === cases.length ? plural(cases.length, 'case')
        : `${whole(table.shown.length)} of ${plural(cases.length, 'case')}`;
    for (const listener of table.listeners) listener();
}

function sortBy(column, down) {
    table.order = { column, down };
    showOrder();
    updateTable();
}

function showOrder() {
    const { column, down } = table.order;
    for (const [index, head] of [...byId('columns').children].entries()) {
        const sorted = COLUMNS[index] === column;
        head.setAttribute('aria-sort', !sorted ? 'none' : down ? 'descending' : 'ascending');
        head.querySelector('.arrow').textContent = !sorted ? '' : down ? '▼' : '▲';
    }
    byId('sort').value = column ? `${column.key} ${down ? 'down' : 'up'}` : '';
}

/// Up, down, and the diff's own order again.
function turn(column) {
    if (table.order.column !== column) sortBy(column, false);
    else if (!table.order.down) sortBy(column, true);
    else sortBy(null, false);
}

function showColumns() {
    byId('columns').replaceChildren(...COLUMNS.map((column) => el('th', {
        scope: 'col', class: `${column.key} ${column.number ? 'number' : ''}`,
        'aria-sort': 'none' },
        el('button', { type: 'button', class: 'sort', on: { click: () => turn(column) } },
            column.name,
            el('span', { class: 'arrow', 'aria-hidden': 'true' })))));
    byId('sort').replaceChildren(el('option', { value: '' }, 'as measured'),
        ...COLUMNS.flatMap(({ key, name }) => [
            el('option', { value: `${key} up` }, `${name}, lowest first`),
            el('option', { value: `${key} down` }, `${name}, highest first`)]));
    byId('sort').addEventListener('change', (event) => {
        const [key, way] = event.target.value.split(' ');
        sortBy(COLUMNS.find((column) => column.key === key) ?? null, way === 'down');
    });
}

function showFilter() {
    byId('filter-suite').append(...[...bySuite().keys()].map(
        (suite) => el('option', { value: suite }, suite)));
    const used = VERDICTS.filter((verdict) => countOf(verdict) > 0);
    byId('filter-verdicts').replaceChildren(...used.map((verdict) => el('label', { class: 'check' },
        el('input', { type: 'checkbox', value: verdict.key, checked: true }), badge(verdict))));
    const read = () => {
        table.filter.text = byId('filter-text').value.trim().toLowerCase();
        table.filter.suite = byId('filter-suite').value;
        table.filter.verdicts = new Set(used.filter(
            ({ key }) => byId('filter-verdicts').querySelector(`[value="${key}"]`).checked));
        updateTable();
    };
    let waiting = 0;
    byId('filter').addEventListener('input', (event) => {
        window.clearTimeout(waiting);
        if (event.target.id === 'filter-text') waiting = window.setTimeout(read, 80);
        else if (event.target.id !== 'sort') read();
    });
    byId('filter').addEventListener('submit', (event) => event.preventDefault());
    byId('filter').addEventListener('reset', () => window.setTimeout(read, 0));
    byId('more').addEventListener('click', () => {
        const first = table.made;
        makeRows(TABLE_CHUNK);
        byId(`case-${table.shown[first].index}`)?.querySelector('button.open').focus();
    });
}

function setFilter(text, suite, chosen) {
    byId('filter-text').value = text;
    byId('filter-suite').value = suite;
    for (const box of byId('filter-verdicts').querySelectorAll('input')) {
        box.checked = chosen === null || box.value === chosen.key;
    }
    table.filter = { text, suite, verdicts: new Set(chosen ? [chosen] : VERDICTS) };
    updateTable();
}

/// The table with this verdict's cases alone.
function showOnly(verdict) {
    setFilter('', '', verdict);
    byId('cases').scrollIntoView();
    byId('filter-text').focus({ preventScroll: true });
}

/// Opens a case's row, wherever it is, and goes there.
function showCase(index) {
    if (!table.shown.includes(cases[index])) setFilter('', '', null);
    const place = table.shown.indexOf(cases[index]);
    while (table.made <= place) makeRows(TABLE_CHUNK);
    const row = byId(`case-${index}`);
    setOpen(cases[index], row, true);
    row.scrollIntoView({ block: 'start' });
    row.querySelector('button.open').focus({ preventScroll: true });
}

function showTable() {
    table.reach = barReach();
    showColumns();
    showFilter();
    showOrder();
    updateTable();
}
