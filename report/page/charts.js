// What all charts share: colours of the theme, marks of verdicts and sides, and when to draw again.

const charts = new Map();   // by the name of their box
const drawers = [];         // each draws one section's charts again

function colour(name) {
    return window.getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function setDefaults() {
    const { defaults } = Chart;
    defaults.animation = false;
    defaults.responsive = true;
    defaults.maintainAspectRatio = false;
    defaults.font.family = window.getComputedStyle(document.body).fontFamily;
    defaults.color = colour('muted');
    defaults.borderColor = colour('line');
    defaults.plugins.legend.display = false;
}

/// A chart in a box, in the place of the one that was there. `label` says what it shows to those
/// who cannot see it.
function draw(boxId, label, height, config) {
    const box = byId(boxId);
    charts.get(boxId)?.destroy();
    charts.delete(boxId);
    const canvas = el('canvas', { role: 'img', 'aria-label': label });
    box.replaceChildren(canvas);
    if (height) box.style.height = `${height}px`;
    charts.set(boxId, new Chart(canvas, config));
}

function drawAll() {
    setDefaults();
    for (const drawer of drawers) drawer();
}

const POINTS = {
    same: { pointStyle: 'circle', rotation: 0 },
    faster: { pointStyle: 'triangle', rotation: 0 },
    slower: { pointStyle: 'triangle', rotation: 180 },
    undecided: { pointStyle: 'rectRot', rotation: 0 },
    wrong: { pointStyle: 'crossRot', rotation: 0 },
    'not-comparable': { pointStyle: 'dash', rotation: 0 },
};

/// Of the two sides: by colour, by mark and by dashes.
function sideStyle(name) {
    return name === 'a' ? { tint: colour('side-a'), pointStyle: 'circle', dash: [] }
        : { tint: colour('side-b'), pointStyle: 'triangle', dash: [6, 4] };
}

function sidesLegend(id) {
    byId(id).replaceChildren(...['a', 'b'].map((name) => el('span', {},
        el('span', { class: `key ${name}`, 'aria-hidden': 'true' }, name === 'a' ? '●' : '▲'),
        ' ', nameOf(data.names[name]))));
}

/// So much of a case's name as there is room for: its variant, if not the middle of it, and its
/// end, where cases differ.
function shortened(text, most) {
    if (text.length <= most) return text;
    const own = `…${text.slice(text.indexOf('/'))}`;
    if (own.length <= most) return own;
    const variant = own.split(' ')[0], left = most - variant.length - 1;
    const begin = left > 2 && variant !== own ? variant : own.slice(0, Math.floor(most / 3));
    return `${begin}…${text.slice(begin.length + 1 - most)}`;
}

function labelRoom(box) {
    return box.clientWidth < 600 ? 20 : 48;
}

function axisTitle(text) {
    return { display: true, text, color: colour('muted') };
}

/// 1, 2 and 5 times powers of ten, or the powers alone, between two values.
function roundValues(low, high) {
    const powers = Math.log10(high / low);
    const steps = powers > 4 ? [1] : powers > 2.5 ? [1, 3] : [1, 2, 5];
    const values = [];
    for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e += 1) {
        values.push(...steps.map((step) => Number(`${step}e${e}`)));
    }
    return values.filter((value) => value >= low && value <= high);
}

/// A logarithmic axis from `low` to `high` with a few round ticks.
function logAxis(title, low, high, ticks = roundValues(low, high)) {
    return {
        type: 'logarithmic', min: low, max: high, title: axisTitle(title),
        grid: { color: colour('line') },
        afterBuildTicks(axis) { axis.ticks = ticks.map((value) => ({ value })); },
        ticks: { callback: (value) => String(Number(value.toPrecision(4))), maxRotation: 0 },
    };
}

/// How many of the cases of a chart are drawn: `100 of 1,234`.
function countText(drawn, all) {
    return `${whole(drawn)} of ${whole(all)} are drawn.`;
}
