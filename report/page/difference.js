// The lines in which two texts differ, side by side.

const MOST_CELLS = 4e6;      // of the search for common lines; beyond, what lies between differs
const MOST_DIFFERENT = 300;  // rows that are shown of one text

/// For each line of A from `begin` to `endA` and of B to `endB`, how many lines the rest of both
/// has in common.
function commonLengths(a, b, begin, endA, endB) {
    const width = endB - begin + 1;
    const lengths = new Uint16Array((endA - begin + 1) * width);
    for (let i = endA - 1; i >= begin; i -= 1) {
        for (let j = endB - 1; j >= begin; j -= 1) {
            const at = (i - begin) * width + (j - begin);
            lengths[at] = a[i] === b[j] ? lengths[at + width + 1] + 1
                : Math.max(lengths[at + width], lengths[at + 1]);
        }
    }
    return lengths;
}

/// Pairs `[i, j]` of places of lines that both have, in order.
function commonLines(a, b) {
    let [begin, endA, endB] = [0, a.length, b.length];
    const pairs = [], behind = [];
    for (; begin < Math.min(endA, endB) && a[begin] === b[begin]; begin += 1) {
        pairs.push([begin, begin]);
    }
    while (endA > begin && endB > begin && a[endA - 1] === b[endB - 1]) {
        endA -= 1;
        endB -= 1;
        behind.unshift([endA, endB]);
    }
    const width = endB - begin + 1;
    if ((endA - begin + 1) * width <= MOST_CELLS) {
        const lengths = commonLengths(a, b, begin, endA, endB);
        for (let i = begin, j = begin; i < endA && j < endB;) {
            const at = (i - begin) * width + (j - begin);
            if (a[i] === b[j]) {
                pairs.push([i, j]);
                i += 1;
                j += 1;
            } else if (lengths[at + width] >= lengths[at + 1]) {
                i += 1;
            } else {
                j += 1;
            }
        }
    }
    return [...pairs, ...behind];
}

/// Rows `[i, j]` of a table of both: places of lines, null where a side has none; and whether they
/// are equal.
function alignedLines(a, b) {
    const rows = [];
    let [i, j] = [0, 0];
    for (const [p, q] of [...commonLines(a, b), [a.length, b.length]]) {
        for (; i < p || j < q; i += 1, j += 1) {
            rows.push({ a: i < p ? i : null, b: j < q ? j : null, equal: false });
        }
        [i, j] = [p, q];
        if (p < a.length && q < b.length) rows.push({ a: p, b: q, equal: true });
        i += 1;
        j += 1;
    }
    return rows;
}

function lineCells(lines, place, mark) {
    return place === null ? [el('td', { class: 'place' }), el('td', {})]
        : [el('td', { class: 'place' }, String(place + 1)),
            el('td', { class: mark }, el('code', {}, lines[place]))];
}

/// Only lines that differ, with one around them; null: the texts are equal.
function differenceTable(textA, textB) {
    const [a, b] = [textA, textB].map((text) => text.replace(/\n$/, '').split('\n'));
    const all = alignedLines(a, b);
    const near = all.map((row, k) => [all[k - 1], row, all[k + 1]].some((r) => r && !r.equal));
    const differing = all.filter((row) => !row.equal).length;
    if (differing === 0) return null;
    const rows = [];
    let skipped = false;
    for (const [k, row] of all.entries()) {
        if (!near[k]) {
            skipped = true;
        } else if (rows.length < MOST_DIFFERENT) {
            if (skipped) rows.push(el('tr', { class: 'skipped' }, el('td', { colspan: 4 }, '⋯')));
            skipped = false;
            rows.push(el('tr', {}, lineCells(a, row.a, row.equal ? null : 'only-a'),
                lineCells(b, row.b, row.equal ? null : 'only-b')));
        }
    }
    const cut = rows.length >= MOST_DIFFERENT;
    return [el('p', { class: 'muted' }, `${whole(differing)} of ${plural(all.length, 'row')} ` +
        `differ${cut ? '; the first are shown' : ''}.`),
    el('div', { class: 'scroll' }, el('table', { class: 'difference' },
        el('thead', {}, el('tr', {}, ['', 'A', '', 'B'].map(
            (name) => el('th', { scope: 'col' }, name)))),
        el('tbody', {}, rows)))];
}
