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

/// `lines`: label, style (tint, pointStyle, dash) and points {x, y} of each; y is NaN where there is
/// none. `values`: of all points, ascending.
function curveConfig({ name, unit, lines, values, width }) {
    const [low, high] = [values[0], values[values.length - 1]];
    const log = low > 0 && high / low >= 16;
    const ticks = sparse(values, log ? Math.log : Number, width);
    const pad = (high - low) * 0.03;
    const datasets = lines.map(({ label, style: { tint, pointStyle, dash }, points }) => ({
        label, showLine: true, spanGaps: false, pointStyle, radius: 4, clip: 8, borderColor: tint,
        backgroundColor: tint, borderDash: dash, borderWidth: 2, data: points }));
    const axis = log ? logAxis(visible(name), low / 1.1, high * 1.1, ticks)
        : { type: 'linear', min: low - pad, max: high + pad, title: axisTitle(visible(name)),
            grid: { color: colour('line') },
            afterBuildTicks(scale) { scale.ticks = ticks.map((value) => ({ value })); } };
    axis.ticks = { autoSkip: false, maxRotation: 0, callback: shortNumber };
    return {
        type: 'scatter',
        data: { datasets },
        options: {
            interaction: { mode: 'index', intersect: false },
            scales: { x: axis, y: { min: 0, title: axisTitle(unit),
                grid: { color: colour('line') } } },
            plugins: { tooltip: { callbacks: {
                title: ([hit]) => visible(`${name} = ${whole(hit.raw.x)}`),
                label: (hit) => `${hit.dataset.label}: ${threeDigits(hit.raw.y)} ${unit}`,
            } } },
        },
    };
}

/// `2^20`, `64k`: large ticks in few letters.
function shortNumber(value) {
    if (value >= 4096 && Number.isInteger(Math.log2(value))) return `2^${Math.log2(value)}`;
    if (value >= 1e6) return `${threeDigits(value / 1e6)}M`;
    return value >= 1e4 ? `${threeDigits(value / 1e3)}k`
        : String(value);
}
