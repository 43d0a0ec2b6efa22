// A curve over the values of a constant or a size, with a line for each side or device.

/// Values that stand far enough apart for their labels, from the last one down.
function sparse(values, place, width) {
    const [low, high] = [values[0], values[values.length - 1]].map(place);
    const least = width < 500 ? 0.17 : 0.12;
    const kept = [];
    for (const value of [...values].reverse()) {
        const room = kept.length === 0 ? Infinity : place(kept[0]) - place(value);
        if (room >= (high - low) * least) kept.unshift(value);
    }
    return kept;
}

/// A curve of C++ with a style (tint, pointStyle, dash) for each of its lines.
function curveConfig({ name, unit, values, labels, lines }, styles, width) {
    const [low, high] = [values[0], values[values.length - 1]];
    const log = low > 0 && high / low >= 16;
    const ticks = sparse(values, log ? Math.log : Number, width);
    const pad = (high - low) * 0.03;
    const datasets = lines.map(({ label, points }, i) => ({
        label, showLine: true, pointStyle: styles[i].pointStyle, radius: 4, clip: 8,
        borderColor: styles[i].tint, backgroundColor: styles[i].tint,
        borderDash: styles[i].dash, borderWidth: 2, data: points }));
    const axis = log ? logAxis(name, low / 1.1, high * 1.1, ticks)
        : { type: 'linear', min: low - pad, max: high + pad, title: axisTitle(name),
            grid: { color: colour('line') },
            afterBuildTicks(scale) { scale.ticks = ticks.map((value) => ({ value })); } };
    axis.ticks = { autoSkip: false, maxRotation: 0,
        callback: (value) => labels[values.indexOf(value)] };
    return {
        type: 'scatter',
        data: { datasets },
        options: {
            interaction: { mode: 'nearest', axis: 'x', intersect: false },
            scales: { x: axis, y: { min: 0, title: axisTitle(unit),
                grid: { color: colour('line') } } },
            plugins: { tooltip: { callbacks: {
                title: ([hit]) => (hit ? `${name} ${labels[values.indexOf(hit.raw.x)]}` : ''),
                label: (hit) => hit.raw.says,
            } } },
        },
    };
}
