// The portability matrix: how each case ended on both sides, suite by suite.

const MATRIX_CHUNK = 100;       // rows of a suite that are made at a time
const MATRIX_OPEN_UP_TO = 60;   // so many cases are shown without opening anything

const STATUS_SIGNS = {
    ok: '✓', wrong: '✕', unsupported: '–', failed: '!', skipped: '○', missing: '·',
};

function reasonOf(side) {
    if (side.reason) return String(side.reason);
    return side.status === 'missing' ? 'This side has no such case.' : '';
}

/// A status; a button that opens the reason where there is one.
function statusCell(item, name, toggle) {
    const side = item[name];
    const reason = reasonOf(side);
    const sign = el('span', { class: 'sign', 'aria-hidden': 'true' }, STATUS_SIGNS[side.status]);
    const content = [sign,
        side.status];
    return el('td', { 'data-label': name.toUpperCase() }, reason
        ? el('button', { type: 'button', class: `status ${side.status}`, title: visible(reason),
            'aria-expanded': 'false', on: { click: toggle } }, content)
        : el('span', { class: `status ${side.status}` }, content));
}

function matrixRow(item) {
    let opened = null;
    const row = el('tr', {});
    const toggle = () => {
        if (opened) {
            opened.remove();
            opened = null;
        } else {
            const parts = [['A', reasonOf(item.a)], ['B', reasonOf(item.b)],
                [item.verdict.word, String(item.json.reason ?? '')]];
            opened = el('tr', { class: 'reason' }, el('td', { colspan: 5 }, parts
                .filter(([, text]) => text)
                .map(([who, text]) => el('p', {}, el('strong', {}, `${who}: `), text))));
            row.after(opened);
        }
        for (const button of row.querySelectorAll('button[aria-expanded]')) {
            button.setAttribute('aria-expanded', String(opened !== null));
        }
    };
    row.append(
        el('th', { scope: 'row' }, el('button', { type: 'button', class: 'link',
            title: 'Show it in the table', on: { click: () => showCase(item.index) } },
            nameOf(item.title))),
        statusCell(item, 'a', toggle), statusCell(item, 'b', toggle),
        el('td', { class: 'number' }, item.ratio ? ratioText(item.ratio.value) : ''),
        el('td', {}, el('button', { type: 'button', class: 'plain', 'aria-expanded': 'false',
            title: visible(item.json.reason ?? ''), on: { click: toggle } }, badge(item.verdict))));
    return row;
}

/// `A: 24 ok · B: 20 ok, 4 unsupported`
function suiteTally(items) {
    const side = (name) => STATUSES.map((status) => [
        status, items.filter((item) => item[name].status === status).length])
        .filter(([, count]) => count > 0).map(([status, count]) => `${count} ${status}`).join(', ');
    return `A: ${side('a')} · B: ${side('b')}`;
}

/// One small mark a case, coloured as its verdict; what it says is in the table below it.
function suiteMarks(items) {
    return el('span', { class: 'marks', 'aria-hidden': 'true' }, items.slice(0, 400).map(
        (item) => el('i', { class: item.verdict.key,
            title: visible(`${item.title}: ${item.verdict.word}`) })));
}

function matrixSuite(name, items) {
    const body = el('tbody', {});
    const more = el('button', { type: 'button', on: { click: () => fill() } });
    let made = 0;
    const fill = () => {
        body.append(...items.slice(made, made + MATRIX_CHUNK).map(matrixRow));
        made = Math.min(items.length, made + MATRIX_CHUNK);
        more.hidden = made === items.length;
        more.textContent = `Show more (${whole(items.length - made)} left)`;
    };
    const head = el('thead', {}, el('tr', {}, ['Case', 'A', 'B', 'Ratio', 'Verdict'].map(
        (word) => el('th', { scope: 'col', class: word === 'Ratio' ? 'number' : null }, word))));
    const details = el('details', { class: 'suite' },
        el('summary', {}, el('span', { class: 'suite-name' }, nameOf(name)),
            el('span', { class: 'muted' },
                `${plural(items.length, 'case')} · ${suiteTally(items)}`),
            suiteMarks(items)),
        el('div', { class: 'scroll' }, el('table', { class: 'matrix' },
            el('caption', { class: 'hidden' }, `Portability of ${name}`), head, body)),
        el('p', { class: 'row no-print' }, more));
    details.addEventListener('toggle', () => {
        if (details.open && made === 0) fill();
    });
    if (cases.length <= MATRIX_OPEN_UP_TO) {
        fill();
        details.open = true;
    }
    return details;
}

function showMatrix() {
    const box = byId('matrix-suites');
    box.replaceChildren(...[...bySuite()].map(([name, items]) => matrixSuite(name, items)));
    const openAll = (open) => {
        for (const details of box.children) details.open = open;
    };
    byId('matrix-open').addEventListener('click', () => openAll(true));
    byId('matrix-close').addEventListener('click', () => openAll(false));
}
