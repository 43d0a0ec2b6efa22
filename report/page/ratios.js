// The chart of ratios: a bar for each interval, a mark for its middle, over the margin's band.

const MOST_RATIOS = 100;

/// Ticks of the ratio axis: dense near 1, where most cases are.
function ratioTicks(low, high) {
    if (high / low > 4) return roundValues(low, high);
    const span = high - low;
    const step = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find(
        (size) => span / size <= 9) ?? 1;
    const ticks = [];
    for (let n = Math.ceil(low / step - 1e-9); n * step <= high * (1 + 1e-9); n += 1) {
        ticks.push(Number((n * step).toFixed(4)));
    }
    return ticks;
}

/// The margin's band and the line at 1, drawn under everything.
const marginBand = {
    id: 'marginBand',
    beforeDatasetsDraw(chart) {
        const { ctx, chartArea: { top, bottom, left, right }, scales: { x } } = chart;
        const clip = (ratio) => Math.max(left, Math.min(right, x.getPixelForValue(ratio)));
        const [from, to, one] = [1 / (1 + margin), 1 + margin, 1].map(clip);
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
    const tints = items.map((item) => colour(item.verdict.key));
    return [{
        type: 'line', showLine: false, order: 1,
        data: items.map((item) => item.ratio.value),
        pointBackgroundColor: tints, pointBorderColor: tints, pointBorderWidth: 2,
        pointRadius: 5, pointHoverRadius: 7,
        pointStyle: items.map((item) => POINTS[item.verdict.key].pointStyle),
        pointRotation: items.map((item) => POINTS[item.verdict.key].rotation),
    }, {
        type: 'bar', order: 2, data: items.map((item) => [item.ratio.low, item.ratio.high]),
        backgroundColor: tints.map((tint) => `${tint}88`), barThickness: 5, minBarLength: 2,
    }];
}

function ratioConfig(items, room) {
    const ends = items.flatMap((item) => [item.ratio.low, item.ratio.high]);
    const reach = Math.max(1 + 2 * margin, 1.01);
    const [least, most] = [Math.min(1 / reach, ...ends), Math.max(reach, ...ends)];
    const pad = (most / least) ** 0.04;
    const [low, high] = [least / pad, most * pad];
    return {
        type: 'bar',
        data: { labels: items.map((item) => shortened(item.title, room)),
            datasets: ratioDatasets(items) },
        plugins: [marginBand],
        options: {
            indexAxis: 'y',
            onClick: (event, hit) => { if (hit.length > 0) showCase(items[hit[0].index].index); },
            scales: {
                x: logAxis('time of B over time of A (logarithmic)', low, high,
                    ratioTicks(low, high)),
                y: { grid: { display: false }, ticks: { autoSkip: false, color: colour('text') } },
            },
            plugins: { tooltip: { filter: (hit) => hit.datasetIndex === 0, callbacks: {
                title: ([hit]) => (hit ? visible(items[hit.dataIndex].title) : ''),
                label: (hit) => ratioTip(items[hit.dataIndex]),
            } } },
        },
    };
}

function ratioTip(item) {
    return [`${ratioText(item.ratio.value)} ${intervalText(item.ratio)}`,
        `${item.verdict.word} ${inWords(item.verdict, item.ratio)}`];
}

function drawRatios() {
    const all = table.shown.filter((item) => drawable(item.ratio));
    const items = all.slice(0, MOST_RATIOS);
    const box = byId('ratios-box');
    const none = items.length === 0;
    byId('ratios-note').textContent = none
        ? (table.shown.length > 0 || cases.length === 0 ? 'No case that is shown has a ratio.'
            : 'The filter shows no case.')
        : `Time of B over time of A with its interval, for ${all.length > items.length
            ? `the first ${whole(items.length)} of ${plural(all.length, 'case')} that the table ` +
              'shows; ' +
              'filter or sort it to choose which'
            : `the ${plural(all.length, 'case')} with a ratio that the table shows`}. ` +
          `The band is the margin of ${chosenPercent(margin)}; left of it B is faster, right of ` +
          'it slower.';
    const used = VERDICTS.filter((verdict) => items.some((item) => item.verdict === verdict));
    byId('ratios-legend').replaceChildren(...used.map((verdict) => badge(verdict)));
    box.hidden = none;
    if (none) return;
    draw('ratios-box',
        `Ratios of ${items.length} cases with their intervals; the table has the same figures.`,
        items.length * 20 + 80, ratioConfig(items, labelRoom(box)));
}
