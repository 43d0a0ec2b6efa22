// Why a case is slower on one side: what its explanation says, and what that rests on.

const CLOSES = { width: 140, height: 16, least: -0.25, most: 1.25 };

function folded(title, ...content) {
    const inside = content.flat().filter((part) => part !== null);
    return inside.length === 0 ? null
        : el('details', { class: 'fold' }, el('summary', {}, title), inside);
}

function figures(heads, rows) {
    return rows.length === 0 ? null : grid(heads, rows.map((cells) => ({ cells })));
}

function said(value) {
    return value === null || value === undefined ? '' : String(value);
}

function secondsText(value) {
    const seconds = numberOf(value);
    return Number.isNaN(seconds) ? '' : seconds === 0 ? '0' : duration(seconds);
}

function shareText(value) {
    const share = numberOf(value);
    return Number.isNaN(share) ? '' : `${Math.abs(share) < 0.0995 ? Number(
        (share * 100).toPrecision(2)) : Math.round(share * 100)} %`;
}

/// How much a change closes, with its interval, between nothing and all of the gap.
function closesBar(trial) {
    const { width, height, least, most } = CLOSES;
    const [value, low, high] = [trial.closes, trial.closes_low, trial.closes_high].map(numberOf);
    const x = (share) => 4 + (Math.max(least, Math.min(most, share)) - least) /
        (most - least) * (width - 8);
    const tint = trial.closed === true ? 'same' : 'slower';
    const picture = svg('svg', { class: `interval ${tint}`, width, height,
        viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true', focusable: 'false' });
    picture.append(svg('rect', { class: 'band', x: x(0), y: 0, width: x(1) - x(0), height }),
        svg('line', { class: 'one', x1: x(0), x2: x(0), y1: 0, y2: height }),
        svg('line', { class: 'one', x1: x(1), x2: x(1), y1: 0, y2: height }));
    if (![value, low, high].every(Number.isFinite)) return picture;
    picture.append(svg('line', { class: 'range', x1: x(low), x2: Math.max(x(high), x(low) + 1),
        y1: height / 2, y2: height / 2 }),
    svg('circle', { class: 'point', cx: x(value), cy: height / 2, r: 3.5 }));
    return picture;
}

function sideOfKnob(side) {
    return side === 'both' ? 'both sides' : side === 'B' ? `B: ${sideNames.b}`
        : `A: ${sideNames.a}`;
}

function trialRow(trial) {
    const measured = trial.status === 'measured', ratio = ratioOf(trial.ratio);
    return [said(trial.setting) || listOf(trial.knobs).map(String).join(' with '),
        sideOfKnob(trial.side), measured ? closesBar(trial) : '',
        measured ? `${shareText(trial.closes)} (${shareText(trial.closes_low)} to ` +
            `${shareText(trial.closes_high)})` : said(trial.status),
        ratio ? `${ratioText(ratio.value)} ${intervalText(ratio)}` : '',
        typeof trial.own_change === 'number' ? ratioText(trial.own_change) : '',
        measured ? listOf(trial.consequences).map(String).join('; ') : said(trial.reason)];
}

function trialsTable(explanation) {
    const trials = listOf(explanation.trials).map(objectOf);
    const order = (trial) => (trial.status === 'measured' ? -numberOf(trial.closes) : Infinity);
    const sorted = trials.map((trial, k) => [order(trial), k, trial]).sort(
        ([p, i], [q, j]) => (p === q ? i - j : p - q || 0));
    return figures(['Change', 'On', '', 'Closes', 'B over A', 'Own time', 'What changed'],
        sorted.map(([, , trial]) => trialRow(trial)));
}

function originTable(explanation) {
    const why = said(explanation.why_no_origin);
    return [figures(['Step', 'Share of the gap', 'B over A', ''],
        listOf(explanation.origin).map(objectOf).map((step) => {
            const ratio = ratioOf(step.ratio);
            return [said(step.name), shareText(step.share),
                ratio ? `${ratioText(ratio.value)} ${intervalText(ratio)}` : 'unknown',
                [said(step.what), ratio ? '' : said(step.reason)].filter(Boolean).join(' ')];
        })), why ? el('p', {}, why) : null];
}

function stagesTable(explanation) {
    const stages = listOf(explanation.stages).map(objectOf).map((stage) => ({ ...stage,
        a: numberOf(stage.a), b: numberOf(stage.b), whole: stage.in_whole === true }));
    const both = ({ a, b }) => !Number.isNaN(a) && !Number.isNaN(b);
    const sum = (side) => stages.filter((stage) => stage.whole && both(stage)).reduce(
        (total, stage) => total + stage[side], 0);
    const gap = sum('b') - sum('a');
    const less = (seconds) => (seconds === 0 ? '0'
        : `${seconds < 0 ? '−' : '+'}${duration(Math.abs(seconds))}`);
    const rows = stages.map((stage) => [said(stage.name), secondsText(stage.a),
        secondsText(stage.b), both(stage) ? less(stage.b - stage.a) : '',
        both(stage) && stage.whole && gap !== 0 ? shareText((stage.b - stage.a) / gap) : '',
        [said(stage.scope), said(stage.note)].filter(Boolean).join(' ')]);
    if (stages.some((stage) => stage.whole && both(stage))) {
        rows.push(['One use from scratch', secondsText(sum('a')), secondsText(sum('b')),
            less(gap), gap === 0 ? '' : '100 %', 'The sum of the stages that have a share.']);
    }
    return figures(['Stage', 'A', 'B', 'B less A', 'Share', ''], rows);
}

/// Kernels by name, with what each side knows of them.
function kernelPairs(explanation) {
    const pairs = new Map();
    for (const side of ['a', 'b']) {
        for (const kernel of listOf(objectOf(explanation[side]).kernels).map(objectOf)) {
            const name = said(kernel.kernel);
            if (!pairs.has(name)) pairs.set(name, { name, a: null, b: null });
            pairs.get(name)[side] = kernel;
        }
    }
    return [...pairs.values()];
}

const NEEDS = [...RESOURCES.filter(([key]) => key !== 'groups_per_unit'),
    ['constant_bytes', 'Constant bytes']].map(([key, name]) => [name,
    (kernel) => objectOf(kernel.resources)[key]]);
NEEDS.push(['Occupancy, calculated', (kernel) => {
    const { warps, most_warps: most } = objectOf(kernel.occupancy);
    return most > 0 ? `${percent(warps / most)} (${whole(warps)} of ${whole(most)} warps)`
        : undefined;
}], ['Limited by', (kernel) => objectOf(kernel.occupancy).limited_by],
['Why there is no occupancy', (kernel) => kernel.why_no_occupancy || undefined],
['Machine code', (kernel) => kernel.machine_source || undefined]);

function needsTable(pairs) {
    const known = (value) => (value === undefined || value === null ? 'unknown' : String(value));
    return figures(['Kernel', '', 'A', 'B'], pairs.flatMap(({ name, a, b }) => NEEDS.map(
        ([what, of]) => [name, what, known(a ? of(a) : null), known(b ? of(b) : null)])
        .filter(([, , x, y]) => x !== 'unknown' || y !== 'unknown')));
}

function mixTable(pairs, member) {
    const rows = pairs.flatMap(({ name, a, b }) => {
        const mixes = [a, b].map((kernel) => objectOf(kernel)[member] ?? null);
        const kinds = [...new Set(mixes.flatMap((mix) => Object.keys(objectOf(mix))))];
        return kinds.map((kind) => {
            const counts = mixes.map((mix) => (mix === null ? NaN
                : Object.hasOwn(objectOf(mix), kind) ? numberOf(mix[kind]) : 0));
            const [x, y] = counts, less = y - x;
            return [name, kind, ...counts.map((n) => (Number.isNaN(n) ? 'unknown' : whole(n))),
                less > 0 ? `+${whole(less)}` : less < 0 ? `−${whole(-less)}` : ''];
        });
    });
    return figures(['Kernel', 'Instructions', 'A', 'B', 'B less A'], rows);
}

function textParts(pairs) {
    return pairs.flatMap(({ name, a, b }) => [['PTX', 'ptx_text'], ['Machine code', 'machine_text']]
        .map(([what, member]) => {
            const texts = [a, b].map((kernel) => said(objectOf(kernel)[member]));
            if (texts.some((text) => text === '')) return null;
            const part = folded(`${what} of ${name}`, el('p', { class: 'muted' }, '…'));
            // Long texts are compared when somebody looks.
            part.addEventListener('toggle', () => {
                part.lastChild.replaceWith(el('div', {},
                    differenceTable(...texts) ?? el('p', {}, 'Equal on both sides.')));
            }, { once: true });
            return part;
        }));
}

/// Nothing where no explanation was made.
function whyBlock(item) {
    const explanation = objectOf(item.json.explanation);
    if (typeof explanation.answer !== 'string') return null;
    const pairs = kernelPairs(explanation), conclusion = objectOf(explanation.conclusion);
    const trials = trialsTable(explanation);
    const texts = (list) => bullets(listOf(list).map(String));
    const part = block('Why', el('p', { class: 'answer-words' }, explanation.answer),
        trials ? [el('h5', {}, 'What closes the gap'), trials,
            el('p', { class: 'muted' }, 'The band goes from nothing to all of the gap. Own time: ' +
                'of the changed side, over that without the change.')] : null,
        folded('Where it arises', originTable(explanation)),
        folded('Where the time goes', stagesTable(explanation)),
        folded('What the kernels need', needsTable(pairs)),
        folded('Instructions in the PTX', mixTable(pairs, 'ptx')),
        folded('Instructions in the machine code', mixTable(pairs, 'machine')),
        textParts(pairs),
        folded('Ruled out', texts(conclusion.ruled_out)),
        folded('Not tried', texts(conclusion.not_tried)));
    part.classList.add('why');
    return part;
}
