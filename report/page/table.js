// The table of cases: filter, order, rows made a hundred at a time, and the row that is open.

const TABLE_CHUNK = 100;

let data = {};       // what C++ made for the page
let cases = [];      // rows of data.cases with their place, suite and words to search
let details = null;  // of each case what its row opens; read when the first is opened

const table = {
    filter: { text: '', suite: '', verdicts: new Set() },
    order: { column: null, down: false },
    shown: [],         // cases that pass the filter, in order
    made: 0,           // of them, how many have a row
    open: new Set(),   // places of cases whose details are open
    listeners: [],     // told when `shown` has changed
};

function readData() {
    data = readJson('data');
    const at = (key) => data.cases.columns.findIndex((column) => column.key === key);
    const verdict = at('verdict'), interval = at('interval');
    cases = data.cases.rows.map((row, index) => ({
        index,
        row,
        suite: data.suites[index],
        title: textOf(row.cells[0]),
        label: data.labels[index],
        words: textOf(row.cells[verdict]),
        ratio: interval < 0 ? '' : textOf(row.cells[at('ratio')]),
        range: interval < 0 ? null : row.cells[interval].range ?? null,
        tone: row.cells[verdict].tone,
        search: [data.suites[index], ...row.cells.map(textOf), ...listOf(row.tags), row.note ?? '']
            .join('\n').toLowerCase(),
    }));
    table.filter.verdicts = new Set(data.verdicts.map(({ tone }) => tone));
}

function passes(item) {
    const { text, suite, verdicts } = table.filter;
    return verdicts.has(item.tone) && (suite === '' || item.suite === suite) &&
        text.split(/\s+/).every((word) => item.search.includes(word));
}

function titleContent({ row, title }) {
    return [el('button', { type: 'button', class: 'open', 'aria-expanded': 'false' },
        el('span', { class: 'arrow', 'aria-hidden': 'true' }, '▸'), nameOf(title)),
    ...listOf(row.tags).map((word) => el('span', { class: 'tag' }, word))];
}

function caseContent(item, cell, column) {
    if (column.key === 'title') return titleContent(item);
    if (column.key === 'verdict') return [badge(cell.tone, cell.text, { title: item.row.note })];
    if (cell.tone && cell.text) return [el('span', { class: `word ${cell.tone}` }, cell.text)];
    return cellContent(cell, column);
}

function rowOf(item) {
    // Roles, because cards on a narrow screen are no table to a browser any more.
    const row = el('tr', { role: 'row', class: 'case', id: `case-${item.index}` },
        data.cases.columns.map((column, i) => el(i === 0 ? 'th' : 'td', {
            scope: i === 0 ? 'row' : null, role: i === 0 ? 'rowheader' : 'cell',
            'data-label': column.name, class: `${column.key} ${column.number ? 'number' : ''}` },
        caseContent(item, item.row.cells[i], column))));
    row.addEventListener('click', (event) => {
        const selecting = String(window.getSelection()) !== '';
        const elsewhere = !event.target.closest('button, a') && !selecting;
        if (event.target.closest('button.open') || elsewhere) {
            setOpen(item, row, !table.open.has(item.index));
        }
    });
    return row;
}

/// What a row opens: all that is known of one case.
function detailOf(item) {
    details ??= readJson('details');
    const { verdict, reason, subtitle, texts, why, parts } = details[item.index];
    return el('div', { class: 'details' },
        el('p', { class: 'verdict-line' }, badge(item.tone, verdict), ' ', el('span', {}, reason)),
        el('p', { class: 'muted' }, subtitle, ' ', texts === undefined ? null
            : el('button', { type: 'button', on: { click: () => showText(texts) } },
                'Show its texts')),
        why ? el('div', { class: 'block why' }, el('h3', { class: 'part' }, 'Why'),
            el('p', { class: 'answer-words' }, why.answer),
            why.sections.map((section, i) => (i === 0
                ? [el('h4', {}, section.title), ...sectionContent(section)]
                : folded(section.title, sectionContent(section))))
                .flat()) : null,
        el('div', { class: 'blocks' }, parts.map(sectionBlock)));
}

function setOpen(item, row, open) {
    row.querySelector('button.open').setAttribute('aria-expanded', String(open));
    row.classList.toggle('opened', open);
    const after = row.nextElementSibling;
    if (after?.classList.contains('detail')) after.remove();
    if (open) {
        table.open.add(item.index);
        row.after(el('tr', { class: 'detail' },
            el('td', { colspan: data.cases.columns.length }, detailOf(item))));
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

/// What the address says of the filter and the order, so that a link shows the same table.
function addressWords() {
    const { filter: { text, suite, verdicts }, order: { column, down } } = table;
    const words = new URLSearchParams();
    if (text) words.set('text', text);
    if (suite) words.set('suite', suite);
    if (verdicts.size < data.verdicts.length) words.set('verdict', [...verdicts].join(' '));
    if (column !== null) words.set('sort', `${data.cases.columns[column].key}${down ? ' down' : ''}`);
    return words.toString();
}

function readAddress() {
    const words = new URLSearchParams(window.location.search);
    const suite = words.get('suite') ?? '', tones = words.get('verdict')?.split(' ');
    byId('filter-text').value = words.get('text') ?? '';
    byId('filter-suite').value = data.suites.includes(suite) ? suite : '';
    for (const box of byId('filter-verdicts').querySelectorAll('input')) {
        box.checked = tones === undefined || tones.includes(box.value);
    }
    const [key, way] = (words.get('sort') ?? '').split(' ');
    const column = data.cases.columns.findIndex((one) => one.key === key);
    if (column >= 0) table.order = { column, down: way === 'down' };
    readFilter();
}

function keepAddress() {
    const { pathname, search, hash } = window.location, words = addressWords();
    const query = words === '' ? '' : `?${words}`;
    if (query !== search) window.history.replaceState(null, '', `${pathname}${query}${hash}`);
}

/// Filters and orders again, and makes the first rows.
function updateTable() {
    keepAddress();
    table.shown = cases.filter(passes);
    if (table.order.column !== null) {
        const compare = compareRows(data.cases.rows, table.order);
        table.shown.sort((x, y) => compare(x.row, y.row));
    }
    table.made = 0;
    byId('rows').replaceChildren();
    makeRows(TABLE_CHUNK);
    if (table.shown.length === 0) {
        byId('rows').append(el('tr', { class: 'empty' },
            el('td', { colspan: data.cases.columns.length }, 'No case passes the filter.')));
    }
    byId('count').textContent = `${whole(table.shown.length)} of ${whole(cases.length)}`;
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
        const sorted = index === column;
        head.setAttribute('aria-sort', !sorted ? 'none' : down ? 'descending' : 'ascending');
        head.querySelector('.arrow').textContent = !sorted ? '' : down ? '▼' : '▲';
    }
    byId('sort').value = column === null ? '' : `${column} ${down ? 'down' : 'up'}`;
}

/// Up, down, and the diff's own order again.
function turn(column) {
    if (table.order.column !== column) sortBy(column, false);
    else if (!table.order.down) sortBy(column, true);
    else sortBy(null, false);
}

function showColumns() {
    const { columns } = data.cases;
    byId('columns').replaceChildren(...columns.map(({ key, name, number }, place) => el('th', {
        scope: 'col', class: `${key} ${number ? 'number' : ''}`, 'aria-sort': 'none' },
    el('button', { type: 'button', class: 'sort', on: { click: () => turn(place) } }, name,
        el('span', { class: 'arrow', 'aria-hidden': 'true' })))));
    oneStop(byId('columns'), 'button');
    byId('sort').replaceChildren(el('option', { value: '' }, 'the largest gap first'),
        ...columns.flatMap(({ name }, place) => [
            el('option', { value: `${place} up` }, `${name}, lowest first`),
            el('option', { value: `${place} down` }, `${name}, highest first`)]));
    byId('sort').addEventListener('change', (event) => {
        const [place, way] = event.target.value.split(' ');
        sortBy(place === '' ? null : Number(place), way === 'down');
    });
}

function readFilter() {
    table.filter.text = byId('filter-text').value.trim().toLowerCase();
    table.filter.suite = byId('filter-suite').value;
    table.filter.verdicts = new Set([...byId('filter-verdicts').querySelectorAll(
        'input:checked')].map((box) => box.value));
}

function showFilter() {
    byId('filter-suite').append(...[...new Set(data.suites)].map(
        (suite) => el('option', { value: suite }, suite)));
    const used = data.verdicts.filter(({ count }) => count > 0);
    byId('filter-verdicts').replaceChildren(...used.map(({ tone, word }) => el('label',
        { class: 'check' }, el('input', { type: 'checkbox', value: tone, checked: true }),
        badge(tone, word))));
    oneStop(byId('filter-verdicts'), 'input');
    const read = () => {
        readFilter();
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

/// `tone`: of the only verdict that is shown; null: all are.
function setFilter(suite, tone) {
    byId('filter-text').value = '';
    byId('filter-suite').value = suite;
    for (const box of byId('filter-verdicts').querySelectorAll('input')) {
        box.checked = tone === null || box.value === tone;
    }
    table.filter = { text: '', suite,
        verdicts: new Set(tone ? [tone] : data.verdicts.map((verdict) => verdict.tone)) };
    updateTable();
}

function goToTable() {
    byId('cases').scrollIntoView();
    byId('filter-text').focus({ preventScroll: true });
}

/// The table with this verdict's cases alone.
function showOnly(tone) {
    setFilter('', tone);
    goToTable();
}

function showSuite(suite) {
    setFilter(suite, null);
    goToTable();
}

/// Opens a case's row, wherever it is, and goes there.
function showCase(index) {
    if (!table.shown.includes(cases[index])) setFilter('', null);
    const place = table.shown.indexOf(cases[index]);
    while (table.made <= place) makeRows(TABLE_CHUNK);
    const row = byId(`case-${index}`);
    setOpen(cases[index], row, true);
    row.scrollIntoView({ block: 'start' });
    row.querySelector('button.open').focus({ preventScroll: true });
}

/// The case that the page's address names (`#case-12`), so that a link to one can be sent.
function showLinked() {
    const [, index] = /^#case-(\d+)$/.exec(window.location.hash) ?? [];
    if (cases[index]) showCase(Number(index));
}

function showTable() {
    showColumns();
    showFilter();
    readAddress();
    showOrder();
    updateTable();
}
