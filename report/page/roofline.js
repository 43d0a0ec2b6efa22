// Rates against the devices' own measured ceilings: a roofline, and bars for cases that only move
// data.

const MOST_BARS = 40;

/// Of a chart's entries, those whose cases the table shows, in its order.
function shownOf(entries) {
    const places = new Map(table.shown.map((item, place) => [item.index, place]));
    return entries.filter(({ at }) => places.has(at))
        .sort((x, y) => places.get(x.at) - places.get(y.at));
}

function roofData({ slope, top }, low, high) {
    const ridge = Math.min(high, Math.max(low, top / slope));
    return [low, ridge, high].map((x) => ({ x, y: Math.min(slope * x, top) }));
}

function rooflineConfig(points, roofs) {
    const xs = [...points.map(({ x }) => x), ...roofs.map(({ slope, top }) => top / slope)];
    const ys = [...points.map(({ y }) => y), ...roofs.map(({ top }) => top)];
    const [left, right] = [Math.min(...xs) / 2, Math.max(...xs) * 3];
    const [bottom, top] = [Math.min(...ys) / 2, Math.max(...ys) * 2];
    const datasets = ['a', 'b'].map((name) => {
        const { tint, pointStyle } = sideStyle(name);
        return { data: points.filter(({ side }) => side === name), pointStyle, radius: 5,
            hoverRadius: 7, backgroundColor: `${tint}99`, borderColor: tint };
    });
    const lines = roofs.map((roof) => ({
        label: roof.says, data: roofData(roof, left, right), showLine: true, radius: 0,
        hitRadius: 8, borderWidth: 2, borderColor: sideStyle(roof.side).tint,
        borderDash: sideStyle(roof.side).dash,
    }));
    return {
        type: 'scatter',
        // The first lies on top: dashes of B over A's lines.
        data: { datasets: [...datasets, ...lines.reverse()] },
        options: {
            onClick: (event, hits, chart) => {
                const point = hits.map((hit) => chart.data.datasets[hit.datasetIndex]
                    .data[hit.index]).find(({ at }) => at !== undefined);
                if (point) showCase(point.at);
            },
            scales: {
                x: logAxis('operations a byte', left, right),
                y: logAxis(data.roofline.unit, bottom, top),
            },
            plugins: { tooltip: { callbacks: { label: (hit) => hit.raw.says ?? hit.dataset.label,
            } } },
        },
    };
}

function drawRoofline() {
    const { points, roofs } = data.roofline;
    byId('roofline-part').hidden = points.length === 0;
    const shown = shownOf(points);
    const used = roofs.filter((roof, i) => shown.some((point) => point.roof === i));
    byId('roofline-box').hidden = shown.length === 0;
    if (points.length === 0) return;
    sidesLegend('roofline-legend');
    byId('roofline-legend').append(...used.slice(0, 6).map(
        ({ says }) => el('span', { class: 'muted' }, says)));
    if (shown.length === 0) return;
    draw('roofline-box', 'Rate against operations a byte, both logarithmic, below the measured ' +
        'ceilings; the table has the same figures.', 0, rooflineConfig(shown, used));
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

function ratesConfig(bars, room) {
    const { ceilings } = data.rates;
    const most = Math.max(...bars.flatMap(({ a, b }) => [a, b]), ...Object.values(ceilings));
    const titleAt = (place) => cases[bars[place].at].title;
    return {
        type: 'bar',
        data: {
            labels: bars.map(({ at }) => shortened(cases[at].label, room)),
            datasets: ['a', 'b'].map((name) => ({ data: bars.map((bar) => bar[name] || null),
                backgroundColor: sideStyle(name).tint, barThickness: 8 })),
        },
        plugins: [ceilingLines(ceilings)],
        options: {
            indexAxis: 'y',
            onClick: (event, hit) => { if (hit.length > 0) showCase(bars[hit[0].index].at); },
            scales: {
                x: { min: 0, max: most * 1.03, title: axisTitle('GB/s'),
                    grid: { color: colour('line') },
                    ticks: { includeBounds: false } },
                y: { grid: { display: false }, ticks: { autoSkip: false, color: colour('text') } },
            },
            plugins: { tooltip: { callbacks: {
                title: ([hit]) => titleAt(hit.dataIndex),
                label: (hit) => bars[hit.dataIndex].says[hit.datasetIndex === 0 ? 'a' : 'b'],
            } } },
        },
    };
}

function drawRates() {
    const all = shownOf(data.rates.bars);
    const bars = all.slice(0, MOST_BARS);
    byId('rates-part').hidden = data.rates.bars.length === 0;
    byId('rates-box').hidden = bars.length === 0;
    if (data.rates.bars.length === 0) return;
    byId('rates-note').textContent = data.rates.note;
    byId('rates-count').textContent = countText(bars.length, all.length);
    sidesLegend('rates-legend');
    if (bars.length === 0) return;
    draw('rates-box', 'Data rates beside the copy ceilings; the table has the same figures.',
        bars.length * 26 + 70, ratesConfig(bars, labelRoom(byId('rates-box'))));
}
