// Sweeps: cases that are alike in all but one constant or one size, drawn as a line for each side.

const LEAST_VALUES = 3;
const SWEEPS_AT_A_TIME = 12;

let sweeps = [];
let sweepsShown = SWEEPS_AT_A_TIME;

/// What of a case may be swept: each constant, each extent, and the size of a square shape.
function sweptOf(item) {
    const constants = Object.entries(objectOf(item.json.constants)).filter(
        ([, value]) => typeof value === 'number');
    const shape = listOf(item.json.shape).map(Number);
    const head = [item.json.suite, item.json.variant, item.json.type].map(String);
    const fixed = (without) => constants.filter(([name]) => name !== without)
        .map(([name, value]) => `${name}=${value}`);
    const swept = constants.map(([name, value]) => ({
        name, value, group: [...head, shape.join(' × '), ...fixed(name)] }));
    const extent = (index) => (shape.length === 1 ? 'size' : `extent ${index + 1}`);
    shape.forEach((value, index) => swept.push({ name: extent(index), value, group: [...head,
        shape.map((size, i) => (i === index ? '*' : size)).join(' × '), ...fixed()] }));
    if (shape.length > 1 && shape.every((size) => size === shape[0])) {
        swept.push({ name: 'size', value: shape[0],
            group: [...head, shape.map(() => 'n').join(' × '), ...fixed()] });
    }
    return swept;
}

function findSweeps() {
    const groups = new Map();
    for (const item of cases.filter((c) => c.rate.a > 0 || c.rate.b > 0)) {
        for (const { name, value, group } of sweptOf(item)) {
            const key = JSON.stringify([name, item.work, group]);
            if (!groups.has(key)) {
                groups.set(key, { name, work: item.work, group, values: new Map() });
            }
            const { values } = groups.get(key);
            if (!values.has(value)) values.set(value, item);
        }
    }
    const long = [...groups.values()].filter(({ values }) => values.size >= LEAST_VALUES);
    return long.map((sweep) => ({
        ...sweep, points: [...sweep.values].sort(([x], [y]) => x - y) }));
}

/// `strided_copy/strided float`; sizes and constants that hold still, with those that all cases
/// share left out.
function sweepTitle({ name, group }) {
    const [suite, variant, type, shape, ...fixed] = group;
    const shared = (word) => cases.every((item) => {
        const [constant, value] = word.split('=');
        const own = objectOf(item.json.constants);
        return !(constant in own) || String(own[constant]) === value;
    });
    const rest = [name === 'size' ? '' : shape, ...fixed.filter((word) => !shared(word))];
    return { title: `${suite}/${variant} over ${name}`,
        note: [type, ...rest].filter(Boolean).join(' · ') };
}

function sweepConfig({ name, work, points }) {
    const lines = ['a', 'b'].map((side) => ({ label: side.toUpperCase(), style: sideStyle(side),
        points: points.map(([x, item]) => ({ x, y: item.rate[side] || NaN, item })) }));
    return curveConfig({ name, unit: rateUnit(work), lines, values: points.map(([value]) => value),
        width: byId('sweeps-grid').clientWidth });
}

function showSweeps() {
    sweeps = findSweeps();
    byId('sweeps').hidden = sweeps.length === 0;
    byId('sweeps-more').addEventListener('click', () => {
        sweepsShown += SWEEPS_AT_A_TIME;
        drawSweeps();
    });
}

function drawSweeps() {
    if (sweeps.length === 0) return;
    const shown = sweeps.slice(0, sweepsShown);
    byId('sweeps-note').textContent =
        'Groups of cases that differ in one constant or one size alone' +
        (shown.length < sweeps.length ? `: ${shown.length} of ${whole(sweeps.length)}.` : '.');
    sidesLegend('sweeps-legend');
    byId('sweeps-grid').replaceChildren(...shown.map((sweep, index) => {
        const { title, note } = sweepTitle(sweep);
        return el('figure', {},
            el('figcaption', {}, nameOf(title), el('span', { class: 'muted' }, note)),
            el('div', { class: 'chart small', id: `sweep-${index}` }));
    }));
    shown.forEach((sweep, index) => draw(`sweep-${index}`,
        visible(`${sweepTitle(sweep).title}, a line for each side`), 0, sweepConfig(sweep)));
    byId('sweeps-more').hidden = shown.length === sweeps.length;
    byId('sweeps-more').textContent = `Show more (${whole(sweeps.length - shown.length)} left)`;
}
