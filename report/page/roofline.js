// Rates against the devices' own measured ceilings: a roofline, and bars for cases that only move
// data.

const MOST_BARS = 40;

function onRoofline(side) {
    return side.measured && side.bytes > 0 && side.operations > 0 && side.copy > 0 &&
        side.fma > 0 &&
        side.gigaoperations > 0;
}

function movesOnly(item) {
    return ['a', 'b'].some((name) => item[name].gigabytes > 0 && !(item[name].operations > 0) &&
        item[name].copy > 0);
}

/// The highest ceilings of each side and element type: `{name, type, copy, fma}`.
function roofsOf(items) {
    const roofs = new Map();
    for (const item of items) {
        for (const name of ['a', 'b']) {
            if (!onRoofline(item[name])) continue;
            const type = String(item.json.type);
            const roof = roofs.get(`${name} ${type}`) ?? { name, type, copy: 0, fma: 0 };
            roof.copy = Math.max(roof.copy, item[name].copy);
            roof.fma = Math.max(roof.fma, item[name].fma);
            roofs.set(`${name} ${type}`, roof);
        }
    }
    return [...roofs.values()];
}

function pointsOf(items, name) {
    return items.filter((item) => onRoofline(item[name])).map((item) => ({
        x: item[name].operations / item[name].bytes, y: item[name].gigaoperations, item }));
}

function roofText({ name, type, copy, fma }) {
    return `${name.toUpperCase()} ${type}: copy ${threeDigits(copy)} GB/s, ` +
        `fma ${threeDigits(fma)} Gop/s`;
}

function roofData(roof, low, high) {
    const ridge = Math.min(high, Math.max(low, roof.fma / roof.copy));
    return [low, ridge, high].map((x) => ({ x, y: Math.min(roof.copy * x, roof.fma) }));
}

function rooflineConfig(items) {
    const points = { a: pointsOf(items, 'a'), b: pointsOf(items, 'b') };
    const roofs = roofsOf(items);
    const xs = [...points.a, ...points.b].map((p) => p.x)
        .concat(roofs.map((roof) => roof.fma / roof.copy));
    const ys = [...points.a, ...points.b].map((p) => p.y).concat(roofs.map((roof) => roof.fma));
    const [left, right] = [Math.min(...xs) / 2, Math.max(...xs) * 3];
    const [bottom, top] = [Math.min(...ys) / 2, Math.max(...ys) * 2];
    const datasets = ['a', 'b'].map((name) => {
        const { tint, pointStyle } = sideStyle(name);
        return { label: name.toUpperCase(), data: points[name], pointStyle, radius: 5,
            hoverRadius: 7,
            backgroundColor: `${tint}99`, borderColor: tint };
    });
    const lines = roofs.map((roof) => ({
        label: visible(roofText(roof)),
        data: roofData(roof, left, right), showLine: true, radius: 0, hitRadius: 8, borderWidth: 2,
        borderColor: sideStyle(roof.name).tint, borderDash: sideStyle(roof.name).dash,
    }));
    return {
        type: 'scatter',
        // The first lies on top: dashes of B over A's lines.
        data: { datasets: [...datasets, ...lines.reverse()] },
        options: {
            onClick: (event, hits, chart) => {
                const data = hits.map(
                    (hit) => chart.data.datasets[hit.datasetIndex].data[hit.index]);
                const point = data.find((entry) => entry.item);
                if (point) showCase(point.item.index);
            },
            scales: {
                x: logAxis('operations a byte', left, right),
                y: logAxis('Gop/s', bottom, top),
            },
            plugins: { tooltip: { callbacks: { label: rooflineTip } } },
        },
    };
}

function rooflineTip(hit) {
    const { item } = hit.raw;
    if (!item) return hit.dataset.label;
    const side = item[hit.datasetIndex === 0 ? 'a' : 'b'];
    return [`${hit.dataset.label}: ${visible(item.title)}`,
        `${threeDigits(side.gigaoperations)} Gop/s, ${threeDigits(side.gigabytes)} GB/s` +
        (side.share > 0 ? `, ${percent(side.share)} of ${visible(side.share_of ?? '')}` : '')];
}

function drawRoofline() {
    const shown = table.shown.filter((item) => onRoofline(item.a) || onRoofline(item.b));
    byId('roofline-part').hidden = !cases.some((item) => onRoofline(item.a) || onRoofline(item.b));
    if (byId('roofline-part').hidden) return;
    byId('roofline-note').textContent = shown.length === 0
        ? 'No case that the table shows has operations, data and measured ceilings.'
        : `${plural(shown.length, 'case')} of the table with operations, data and measured ` +
          'ceilings. ' +
          'A line is what a side\'s own measured ceilings allow; a mark is what a case reached.';
    byId('roofline-box').hidden = shown.length === 0;
    sidesLegend('roofline-legend');
    byId('roofline-legend').append(...roofsOf(shown).slice(0, 6).map(
        (roof) => el('span', { class: 'muted' }, roofText(roof))));
    if (shown.length === 0) return;
    draw('roofline-box', 'Rate against operations a byte, both logarithmic, below the measured ' +
        'ceilings; ' +
        'the table has the same figures.', 0, rooflineConfig(shown));
}

/// A line across the bars at each side's copy ceiling.
function ceilingLines(ceilings) {
    return {
        id: 'ceilingLines',
        afterDatasetsDraw(chart) {
            const { ctx, chartArea: { top, bottom }, scales: { x } } = chart;
            for (const [name, value] of Object.entries(ceilings)) {
                if (!(value > 0)) continue;
                const { tint, dash } = sideStyle(name);
                ctx.save();
                ctx.strokeStyle = tint;
                ctx.lineWidth = 2;
                ctx.setLineDash(dash);
                ctx.beginPath();
                ctx.moveTo(x.getPixelForValue(value), top);
                ctx.lineTo(x.getPixelForValue(value), bottom);
                ctx.stroke();
                ctx.restore();
            }
        },
    };
}

function ratesConfig(items, ceilings, room) {
    const most = Math.max(...items.flatMap((item) => [item.a.gigabytes, item.b.gigabytes]),
        ...Object.values(ceilings));
    return {
        type: 'bar',
        data: {
            labels: items.map((item) => shortened(item.title, room)),
            datasets: ['a', 'b'].map((name) => ({
                label: name.toUpperCase(), data: items.map((item) => item[name].gigabytes || null),
                backgroundColor: sideStyle(name).tint, barThickness: 8 })),
        },
        plugins: [ceilingLines(ceilings)],
        options: {
            indexAxis: 'y',
            onClick: (event, hit) => { if (hit.length > 0) showCase(items[hit[0].index].index); },
            scales: {
                x: { min: 0, max: most * 1.03, title: axisTitle('GB/s'),
                    grid: { color: colour('line') },
                    ticks: { includeBounds: false } },
                y: { grid: { display: false }, ticks: { autoSkip: false, color: colour('text') } },
            },
            plugins: { tooltip: { callbacks: {
                title: ([hit]) => visible(items[hit.dataIndex].title),
                label: (hit) => `${hit.dataset.label}: ${threeDigits(hit.raw)} GB/s`,
            } } },
        },
    };
}

function drawRates() {
    const all = table.shown.filter(movesOnly);
    const items = all.slice(0, MOST_BARS);
    byId('rates-part').hidden = !cases.some(movesOnly);
    if (byId('rates-part').hidden) return;
    const ceiling = (name) => all.reduce((most, item) => Math.max(most, item[name].copy), 0);
    const ceilings = { a: ceiling('a'), b: ceiling('b') };
    byId('rates-note').textContent = items.length === 0
        ? 'The table shows no case that only moves data.'
        : `Cases that only move data, ${all.length > items.length
            ? `the first ${items.length} of ${whole(all.length)} that the table shows`
            : 'as in the table'}. ` +
          "The lines are the sides' measured copy ceilings: " +
          ['a', 'b'].filter((n) => ceilings[n] > 0)
            .map((n) => `${n.toUpperCase()} ${threeDigits(ceilings[n])} GB/s`).join(', ') + '.';
    byId('rates-box').hidden = items.length === 0;
    sidesLegend('rates-legend');
    if (items.length === 0) return;
    draw('rates-box', 'Data rates beside the copy ceilings; the table has the same figures.',
        items.length * 26 + 70, ratesConfig(items, ceilings, labelRoom(byId('rates-box'))));
}
