// The page of a sweep: what may be said of it, its curve, and a table of its points.

const sweep = objectOf(JSON.parse(byId('sweep').textContent));
const UNITS = { bytes: 'GB/s', operations: 'Gop/s', runs: 'runs/s' };
const MARKS = ['circle', 'triangle', 'rect', 'rectRot', 'star', 'cross'];
const SIGNS = ['●', '▲', '■', '◆', '✶', '+'];

function figureOf(point) {
    const value = numberOf(objectOf(objectOf(point).figure).value);
    return sweep.unit === 'runs' ? value : value / 1e9;
}

/// Colour, mark and dashes of a line; the first two are those of the sides of a diff.
function lineStyle(index) {
    const tint = index < 2 ? colour(index === 0 ? 'side-a' : 'side-b')
        : `hsl(${(index * 137) % 360} 60% 50%)`;
    return { tint, pointStyle: MARKS[index % MARKS.length],
        dash: index % 2 === 0 ? [] : [6, 4] };
}

/// A line for each device, and for each value of a second name.
function linesOf() {
    const [first, second] = listOf(sweep.over);
    const points = listOf(sweep.points);
    const others = second ? listOf(second.values) : [null];
    return listOf(sweep.devices).flatMap((device) => others.map((other, place) => ({
        label: other === null ? String(device.device)
            : `${device.device}, ${second.name}=${listOf(second.labels)[place]}`,
        points: points.flatMap((point, index) => (other === null || point.values[1] === other
            ? [{ x: point.values[0], y: figureOf(device.points[index]) }] : [])),
    }))).map((line, index) => ({ ...line, style: lineStyle(index), name: first.name }));
}

function drawCurve() {
    const lines = linesOf();
    const values = listOf(objectOf(listOf(sweep.over)[0]).values);
    const unit = UNITS[sweep.unit] ?? '';
    byId('curve-legend').replaceChildren(...lines.map(({ label, style }, index) => {
        const key = el('span', { class: 'key', 'aria-hidden': 'true' },
            SIGNS[index % SIGNS.length]);
        key.style.color = style.tint;
        return el('span', {}, key, ' ', nameOf(label));
    }));
    const { name } = objectOf(listOf(sweep.over)[0]);
    draw('curve', visible(`${sweep.title}: a line for each device`), 360,
        curveConfig({ name, unit, lines, values, width: byId('curve').clientWidth }));
}

function cellsOf(device, index) {
    const point = objectOf(listOf(device.points)[index]);
    const seconds = objectOf(point.seconds);
    if (!(seconds.median > 0)) return [el('td', { colspan: 4 }, String(point.status))];
    const half = (seconds.high - seconds.low) / 2 / seconds.median;
    const share = objectOf(point.share);
    const highest = objectOf(device.highest);
    const mark = highest.point === sweep.points[index].label
        ? (highest.is_best ? ' best' : ' highest') : '';
    return [
        el('td', {}, `${duration(seconds.median)} ± ${percent(half)}`),
        el('td', {}, `${threeDigits(figureOf(point))} ${UNITS[sweep.unit] ?? ''}`),
        el('td', {}, share.value > 0 ? `${percent(share.value)} of ${share.of}` : ''),
        el('td', {}, el('strong', {}, mark)),
    ];
}

function showPoints() {
    const devices = listOf(sweep.devices);
    const head = el('tr', {}, el('th', {}, ''),
        ...devices.map((device) => el('th', { colspan: 4 }, `${device.device} ${device.name}`)));
    const rows = listOf(sweep.points).map((point, index) => el('tr', {},
        el('th', { scope: 'row' }, String(point.label)),
        ...devices.flatMap((device) => cellsOf(device, index))));
    byId('points').replaceChildren(el('thead', {}, head), el('tbody', {}, ...rows));
}

byId('title').textContent = visible(sweep.title);
byId('claims').replaceChildren(...[...listOf(sweep.claims), ...listOf(sweep.differences)].map(
    (line) => el('li', {}, line)));
byId('remarks').replaceChildren(...listOf(sweep.remarks).map((line) => el('li', {}, line)));
showPoints();
drawers.push(drawCurve);
const sayTheme = () => byId('theme').setAttribute('aria-pressed', String(theme.isDark()));
byId('theme').addEventListener('click', () => theme.toggle());
theme.onChange(() => {
    sayTheme();
    drawAll();
});
sayTheme();
drawAll();
