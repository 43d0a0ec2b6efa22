// The page of a fleet: its map of nodes by slots, and the sections of the report.

const data = readJson('fleet');
const CLASSES = ['memory', 'compute', 'transfer'];

/// The deviation that the map shows of a device, as number and text; null: it has none.
function deviationOf(cell, kind) {
    const all = (kind ? [kind] : CLASSES).map((name) => cell[name])
        .filter((one) => one !== undefined);
    return all.reduce((far, one) => (far === null || Math.abs(one[0]) > Math.abs(far[0]) ? one : far),
        null);
}

function standsOut(cell) {
    return Boolean(cell.state || cell.outlier);
}

/// Colour goes with the distance: nothing below 0.5 %, all of it from 5 % on, where words can still be
/// read on it in the dark.
function tint(deviation) {
    const share = Math.min(1, Math.max(0, (Math.abs(deviation) - 0.005) / 0.045));
    if (share === 0) return null;
    const name = deviation < 0 ? '--slower' : '--faster';
    return `background:color-mix(in srgb, var(${name}) ${Math.round(15 + 30 * share)}%, `
        + 'var(--raised))';
}

function shownCell(cell, kind) {
    const deviation = deviationOf(cell, kind);
    const words = cell.state ?? (deviation === null ? '-' : deviation[1]);
    const tone = cell.state === 'busy' ? 'busy' : cell.state ? 'bad' : cell.outlier ? 'outlier' : '';
    const style = cell.state || deviation === null ? null : tint(deviation[0]);
    const all = CLASSES.filter((name) => cell[name] !== undefined)
        .map((name) => `${name} ${cell[name][1]}`);
    return el('span', { class: `cell ${tone}`, ...(style ? { style } : {}), title: [cell.name, cell.uuid, ...all]
        .filter(Boolean).join('\n') }, words);
}

/// The lowest deviation among a node's devices; what is wrong or missing comes before all.
function lowest({ slots }, kind) {
    return Math.min(...slots.flat().map((cell) => (cell.state && cell.state !== 'busy' ? -Infinity
        : deviationOf(cell, kind)?.[0] ?? Infinity)));
}

function drawMap() {
    const text = byId('map-text').value.toLowerCase(), kind = byId('map-class').value;
    const notable = byId('map-notable').checked;
    const rows = data.map.filter(({ host, slots }) => {
        const cells = slots.flat();
        const named = [host, ...cells.flatMap((cell) => [cell.name, cell.uuid])];
        return (!text || named.some((name) => name && name.toLowerCase().includes(text)))
            && (!notable || cells.some((cell) => standsOut(cell)));
    });
    if (byId('map-order').value) rows.sort((a, b) => lowest(a, kind) - lowest(b, kind));
    const columns = Math.max(0, ...data.map.map((row) => row.slots.length));
    byId('map-head').replaceChildren(el('th', { scope: 'col' }, 'node'),
        ...Array.from({ length: columns }, (_, i) => el('th', { scope: 'col' }, `gpu ${i}`)));
    byId('map-rows').replaceChildren(...rows.map(({ host, slots }) => el('tr', {},
        el('th', { scope: 'row' }, nameOf(host)),
        Array.from({ length: columns }, (_, i) => el('td', {},
            listOf(slots[i]).map((cell) => shownCell(cell, kind)))))));
    byId('map-count').textContent = `${whole(rows.length)} of ${whole(data.map.length)} nodes`;
}

byId('headline').replaceChildren(...data.headline.map((line) => el('p', {}, line)));
byId('map-legend').textContent = 'How far each device is from its peers: below 0 it is slower. '
    + 'An outlier, or a device of a node that is one, has a frame.';
/// Makes a table's heads sort its rows: up, down, and as they were.
function makeSortable(table, grid) {
    const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
    let sorted = { column: null, down: false };
    const show = () => {
        const order = grid.rows.map((row, i) => [row, rows[i]]);
        if (sorted.column !== null) {
            const compare = compareRows(grid.rows, sorted);
            order.sort(([x], [y]) => compare(x, y));
        }
        body.replaceChildren(...order.map(([, row]) => row));
        for (const [i, head] of heads.entries()) {
            if (i >= grid.columns.length || !grid.columns[i].name) continue;
            head.setAttribute('aria-sort', i !== sorted.column ? 'none' : sorted.down ? 'descending' : 'ascending');
        }
    };
    for (const [i, head] of heads.entries()) {
        if (i >= grid.columns.length || !grid.columns[i].name) continue;
        head.setAttribute('aria-sort', 'none');
        head.replaceChildren(el('button', { type: 'button', class: 'order', on: { click: () => {
            sorted = sorted.column !== i ? { column: i, down: false }
                : sorted.down ? { column: null, down: false } : { column: i, down: true };
            show();
        } } }, grid.columns[i].name));
    }
}

for (const part of ['before', 'after']) {
    byId(part).replaceChildren(...data[part].map((section, i) => el('section', { id: `${part}-${i + 1}` },
        el('h2', {}, section.title), sectionContent(section, 'h3'))));
    for (const [i, section] of data[part].entries()) {
        const tables = [...byId(`${part}-${i + 1}`).querySelectorAll('table:not(.difference)')];
        listOf(section.grids).filter((grid) => grid.rows.length > 0)
            .forEach((grid, k) => makeSortable(tables[k], grid));
    }
}
byId('sections').replaceChildren(...[...document.querySelectorAll('main section[id]:not(#head)')].map((section) =>
    el('li', {}, el('a', { href: `#${section.id}` }, section.querySelector('h2').textContent))));
byId('download-csv').addEventListener('click', () => save('parallax-fleet.csv', 'text/csv', data.csv));
for (const id of ['map-text', 'map-class', 'map-order', 'map-notable']) {
    byId(id).addEventListener('input', drawMap);
}
drawMap();
themeButton();
