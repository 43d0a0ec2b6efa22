// Draws the grids and sections that C++ made: tables, bars, texts and lists.

const BAR = { width: 100, height: 16 };

/// A cell that is a text alone is a string.
function textOf(cell) {
    return typeof cell === 'string' ? cell : cell.text;
}

/// A verdict's words in its colour; its sign is in the style.
function badge(tone, words, attributes = {}) {
    return el('span', { class: `badge ${tone}`, ...attributes }, words);
}

/// The interval as a line and the value as a point over the scale's band; a triangle at an end
/// stands for a value that lies beyond it.
function rangeBar({ low, high, band, one, log }, range, tone) {
    const { width, height } = BAR;
    const way = log ? Math.log : Number;
    const share = (value) => (way(value) - way(low)) / (way(high) - way(low));
    const x = (value) => 5 + Math.max(0, Math.min(1, share(value))) * (width - 10);
    const middle = height / 2;
    const picture = svg('svg', { class: `interval ${tone ?? ''}`, width, height,
        viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true', focusable: 'false' },
    svg('rect', { class: 'band', x: x(band[0]), y: 0, width: x(band[1]) - x(band[0]), height }),
    svg('line', { class: 'one', x1: x(one), x2: x(one), y1: 0, y2: height }));
    const [from, value, to] = range;
    if (![from, value, to].every(Number.isFinite)) return picture;
    picture.append(svg('line', { class: 'range', x1: x(from), x2: Math.max(x(to), x(from) + 1),
        y1: middle, y2: middle }));
    if (share(value) >= 0 && share(value) <= 1) {
        picture.append(svg('circle', { class: 'point', cx: x(value), cy: middle, r: 3.5 }));
    } else {
        const tip = share(value) > 1 ? width - 1 : 1, back = share(value) > 1 ? tip - 7 : tip + 7;
        picture.append(svg('path', { class: 'point',
            d: `M${tip} ${middle}L${back} ${middle - 4}L${back} ${middle + 4}Z` }));
    }
    return picture;
}

const collator = new Intl.Collator('en', { numeric: true });

/// By the numbers of a column, cells without one last whichever the direction; by its texts where
/// no cell has a number.
function compareRows(rows, { column, down }) {
    const sign = down ? -1 : 1;
    const isNumber = rows.some(({ cells }) => cells[column].value !== undefined);
    return (x, y) => {
        if (!isNumber) return sign * collator.compare(textOf(x.cells[column]), textOf(y.cells[column]));
        const [p, q] = [x, y].map(({ cells }) => cells[column].value ?? NaN);
        return Number.isNaN(p) - Number.isNaN(q) || sign * (p - q) || 0;
    };
}

function cellContent(cell, column) {
    const bar = cell.range && column.scale ? rangeBar(column.scale, cell.range, cell.tone) : null;
    return bar ? [bar, textOf(cell)] : [textOf(cell)];
}

/// What may be wider than its place; the keyboard scrolls it, too.
function scrollBox(label, ...content) {
    return el('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': label || 'Table' },
        content);
}

/// Elements that show a grid; none where it is empty.
/// `first`: makes what stands in the first cell of a row.
function gridTable(grid, first = (row) => textOf(row.cells[0])) {
    const noted = grid.rows.some((row) => row.note);
    const below = grid.below ? [el('p', { class: 'muted' }, grid.below)] : [];
    if (grid.rows.length === 0) return below;
    const kind = (column) => (column.number ? 'number' : null);
    const heads = grid.columns.map(
        (column) => el(column.name ? 'th' : 'td', { scope: column.name ? 'col' : null,
            class: kind(column) }, column.name));
    if (noted) heads.push(el('th', { scope: 'col' }, 'note'));
    const rows = grid.rows.map((row) => {
        const cells = row.cells.map((cell, i) => (i === 0
            ? el(textOf(cell) ? 'th' : 'td', { scope: textOf(cell) ? 'row' : null }, first(row))
            : el('td', { class: [kind(grid.columns[i]), cell.tone].filter(Boolean).join(' ') },
                cellContent(cell, grid.columns[i]))));
        if (noted) cells.push(el('td', {}, row.note ?? ''));
        return el('tr', { class: row.tone ? `marked ${row.tone}` : null }, cells);
    });
    return [scrollBox(grid.title, el('table', {}, el('thead', {}, el('tr', {}, heads)),
        el('tbody', {}, rows))), ...below];
}

/// Where two texts differ: lines of A left, of B right, those of both across.
function differenceTable(lines) {
    const rows = [];
    let removed = [], added = [];
    const cell = (side, line) => (line === undefined ? el('td', {})
        : el('td', { class: `only-${side}` }, el('code', {}, line)));
    const flush = () => {
        for (let i = 0; i < Math.max(removed.length, added.length); i += 1) {
            rows.push(el('tr', {}, cell('a', removed[i]), cell('b', added[i])));
        }
        [removed, added] = [[], []];
    };
    for (const line of lines) {
        if (line.startsWith('- ')) removed.push(line.slice(2));
        else if (line.startsWith('+ ')) added.push(line.slice(2));
        else {
            flush();
            rows.push(el('tr', { class: line.startsWith('...') ? 'skipped' : null },
                line.startsWith('...') ? el('td', { colspan: 2 }, line)
                    : ['', ''].map(() => el('td', {}, el('code', {}, line.slice(2))))));
        }
    }
    flush();
    return scrollBox('Where the texts differ', el('table', { class: 'difference' },
        el('thead', {}, el('tr', {}, ['a', 'b'].map((side) => el('th', { scope: 'col' }, data.names[side])))),
        el('tbody', {}, rows)));
}

/// All of a section but its title. `heading`: of its grids, the one below the title's.
function sectionContent(section, heading = 'h4') {
    const grids = listOf(section.grids), texts = listOf(section.texts);
    const sentences = listOf(section.sentences);
    return [
        sentences.length === 1 ? el('p', {}, sentences[0]) : bullets(sentences),
        ...grids.flatMap((grid) => [
            !grid.title || grid.title === section.title ? null : el(heading, {}, grid.title),
            ...gridTable(grid)]),
        ...texts.flatMap(({ heading, lines, difference }) => [el('p', {}, heading),
            lines.length === 0 ? null : difference ? differenceTable(lines)
                : el('pre', { class: 'log', tabindex: '0' }, lines.join('\n'))]),
    ];
}

function sectionBlock(section) {
    return el('div', { class: 'block' }, el('h3', { class: 'part' }, section.title), sectionContent(section));
}
