// The chart of ratios: a bar for each interval, a mark for its middle, over the margin's band.

const MOST_RATIOS = 100;

/// Ticks of the ratio axis: dense near 1, where most cases are.
function ratioTicks(low, high) {
    if (high / low > 30) return roundValues(low, high);
    if (high / low > 4) {
        return [0.2, 0.3, 0.5, 0.7, 1, 1.4, 2, 3, 5].filter((value) => value >= low && value <= high);
    }
    const span = high - low;
    const step = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find(
        (size) => span / size <= 9) ?? 1;
    const ticks = [];
    for (let n = Math.ceil(low / step - 1e-9); n * step <= high * (1 + 1e-9); n += 1) {
        ticks.push(Number((n * step).toFixed(4)));
    }
    return ticks;
}

/// The scale of the bars in the table: it has the margin.
function ratioScale() {
    return data.cases.columns.find((column) => column.key === 'interval').scale;
}

/// The margin's band and the line at 1, drawn under everything.
const marginBand = {
    id: 'marginBand',
    beforeDatasetsDraw(chart) {
        const { ctx, chartArea: { top, bottom, left, right }, scales: { x } } = chart;
        const clip = (ratio) => Math.max(left, Math.min(right, x.getPixelForValue(ratio)));
        const { band, one: middle } = ratioScale();
        const [from, to, one] = [...band, middle].map(clip);
        ctx.save();
        ctx.fillStyle = colour('band');
        ctx.fillRect(from, top, to - from, bottom - top);
        ctx.strokeStyle = colour('muted');
        ctx.beginPath();
        ctx.moveTo(one, top);
        ctx.lineTo(one, bottom);
        ctx.stroke();
        ctx.restore();
    },
};

function ratioDatasets(items) {
    const tints = items.map((item) => colour(item.tone));
    return [{
        type: 'line', showLine: false, order: 1,
        data: items.map((item) => item.range[1]),
        pointBackgroundColor: tints, pointBorderColor: tints, pointBorderWidth: 2,
        pointRadius: 5, pointHoverRadius: 7,
        pointStyle: items.map((item) => POINTS[item.tone].pointStyle),
        pointRotation: items.map((item) => POINTS[item.tone].rotation),
    }, {
        type: 'bar', order: 2, data: items.map(({ range }) => [range[0], range[2]]),
        backgroundColor: tints.map((tint) => `${tint}88`), barThickness: 5, minBarLength: 2,
    }];
}

function ratioConfig(items, room) {
    const ends = items.flatMap((item) => item.range);
    const { band } = ratioScale();
    const [least, most] = [Math.min(band[0] ** 2, ...ends), Math.max(band[1] ** 2, ...ends)];
    const pad = (most / least) ** 0.04;
    const [low, high] = [least / pad, most * pad];
    return {
        type: 'bar',
        data: { labels: items.map((item) => shortened(item.label, room)),
            datasets: ratioDatasets(items) },
        plugins: [marginBand],
        options: {
            indexAxis: 'y',
            onClick: (event, hit) => { if (hit.length > 0) showCase(items[hit[0].index].index); },
            scales: {
                x: { ...logAxis(`${data.names.b}'s time divided by ${data.names.a}'s (logarithmic)`,
                    low, high, ratioTicks(low, high)), position: 'top' },
                y: { grid: { display: false }, ticks: { autoSkip: false, color: colour('text') } },
            },
            plugins: { tooltip: { filter: (hit) => hit.datasetIndex === 0, callbacks: {
                title: ([hit]) => (hit ? items[hit.dataIndex].title : ''),
                label: (hit) => [items[hit.dataIndex].ratio, items[hit.dataIndex].words],
            } } },
        },
    };
}

function drawRatios() {
    const all = table.shown.filter((item) => item.range);
    const items = all.slice(0, MOST_RATIOS);
    const box = byId('ratios-box'), none = items.length === 0;
    byId('ratios-note').textContent = data.ratios_note;
    byId('ratios-count').textContent = countText(items.length, all.length);
    const used = data.verdicts.filter(({ tone }) => items.some((item) => item.tone === tone));
    byId('ratios-legend').replaceChildren(...used.map(({ tone, word }) => badge(tone, word)));
    box.hidden = none;
    if (none) return;
    draw('ratios-box', 'Ratios of cases with their intervals; the table has the same figures.',
        items.length * 20 + 80, ratioConfig(items, labelRoom(box)));
}
