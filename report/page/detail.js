// What a row opens: all that is known of one case.

function block(title, ...content) {
    const inside = content.flat().filter((part) => part !== null);
    if (inside.length === 0) return null;
    return el('div', { class: 'block' }, el('h4', {}, title), inside);
}

function bullets(texts) {
    return texts.length === 0 ? null : el('ul', {}, texts.map((text) => el('li', {}, text)));
}

function codeLines(text) {
    const pre = el('pre', { class: 'log', tabindex: '0' });
    pre.textContent = visibleLines(text);
    return pre;
}

function grid(heads, rows) {
    return el('div', { class: 'scroll' }, el('table', {},
        el('thead', {}, el('tr', {}, heads.map((head) => el('th', { scope: 'col' }, head)))),
        el('tbody', {}, rows.map(({ cells, mark }) => el('tr', { class: mark ?? null },
            cells.map((cell, i) => (i === 0 ? el('th', { scope: 'row' }, cell)
                : el('td', {}, cell))))))));
}

/// Rows of both sides; one that neither has is left out.
function sidesTable(item) {
    const rows = [
        ['Status', (side) => side.status],
        ['Reason', (side) => reasonOf(side)],
        ['Time of one run', (side) => (side.measured
            ? `${duration(side.seconds)} (${duration(side.low)}–${duration(side.high)})` : '')],
        ['Runs read', (side) => (side.runs > 0 ? whole(side.runs) : '')],
        ['Data rate', (side) => (side.gigabytes > 0 ? `${threeDigits(side.gigabytes)} GB/s` : '')],
        ['Operation rate', (side) => (side.gigaoperations > 0
            ? `${threeDigits(side.gigaoperations)} Gop/s` : '')],
        ['Share of its ceiling', (side) => (side.share > 0
            ? `${percent(side.share)} of ${side.share_of ?? '?'}` : '')],
        ['Ceilings', (side) => [side.copy > 0 ? `copy ${threeDigits(side.copy)} GB/s` : '',
            side.fma > 0 ? `fma ${threeDigits(side.fma)} Gop/s` : ''].filter(Boolean).join(', ')],
        ['Work of one run', (side) => (side.measured
            ? `${whole(side.bytes)} bytes, ${whole(side.operations)} operations` : '')],
        ['Build options', (side) => (listOf(side.options).length > 0
            ? el('code', {}, listOf(side.options).join(' ')) : '')],
        ['Notes', (side) => bullets(listOf(side.notes)) ?? ''],
        ['Compiler log', (side) => (side.log ? codeLines(side.log) : '')],
    ].map(([name, content]) => ({ cells: [name, content(item.a), content(item.b)] }))
        .filter(({ cells }) => cells[1] !== '' || cells[2] !== '');
    const part = block('Both sides', grid(['', `A: ${sideNames.a}`, `B: ${sideNames.b}`], rows));
    part.classList.add('sides');
    return part;
}

function differencesTable(differences) {
    return grid(['What', 'A', 'B', ''], differences.map((d) => ({
        cells: [d.what, el('code', {}, d.a), el('code', {}, d.b),
            d.forbids ? 'forbids a comparison' : ''],
        mark: d.forbids ? 'forbids' : null })));
}

function kernelBlock(kernel) {
    const differences = listOf(kernel.differences).map(objectOf);
    const answer = kernel.same ? 'Yes.' : 'No: the speeds must not be compared as one kernel\'s.';
    return block('Same kernel?', el('p', {}, answer),
        differences.length > 0 ? differencesTable(differences) : null);
}

function distanceText(distance) {
    if (!distance) return [];
    const differing = distance.differing ?? 0;
    const texts = [`${whole(differing)} of ${plural(distance.elements ?? 0, 'element')} differ` +
        (differing > 0 ? `: by up to ${ulpText(numberOf(distance.largest_ulp))}, ` +
            `${ulpText(numberOf(distance.median_ulp))} in the median.` : '.')];
    if (differing > 0) {
        texts.push(`The first is element ${whole(distance.first)}: ${distance.first_a} and ` +
            `${distance.first_b}.`);
    }
    return texts;
}

function answerBlock(item) {
    const answer = objectOf(item.json.answer);
    const texts = [];
    for (const [name, side] of [['a', item.a], ['b', item.b]]) {
        if (side.status !== 'ok' && side.status !== 'wrong') continue;
        const ulp = numberOf(answer[`ulp_${name}`]), again = answer[`repeatable_${name}`];
        texts.push(`${name.toUpperCase()} is ${answer[`right_${name}`] ? 'right' : 'not right'}` +
            (Number.isNaN(ulp) ? '' : `, at most ${ulpText(ulp)} from the reference`) +
            (again === true ? '; every launch gave the same bits.'
                : again === false ? '; launches gave different bits.' : '.'));
    }
    if (texts.length === 0) return null;
    texts.push(answer.identical === true ? 'Both sides gave the same bits.'
        : answer.identical === false ? 'The two sides gave different bits.'
        : 'The two answers were not compared with each other.');
    return block('Same answer?', bullets([...texts, ...distanceText(answer.distance)]));
}

function ratioLine(name, ratio) {
    return `${name}: ${ratioText(ratio.value)} ${intervalText(ratio)}` +
        (ratio.confidence > 0 ? ` at ${chosenPercent(ratio.confidence)} confidence` : '') +
        `, from ${whole(ratio.units_a ?? 0)} and ${whole(ratio.units_b ?? 0)} ` +
        `${ratio.basis ?? ''}` +
        `, standard error of the logarithm ${threeDigits(numberOf(ratio.log_error))}, ` +
        `${threeDigits(numberOf(ratio.degrees_of_freedom))} degrees of freedom.`;
}

function speedBlock(item) {
    const json = item.json, texts = [];
    const baseline = ratioOf(json.against_baseline);
    if (item.ratio) texts.push(ratioLine('Time of B over time of A', item.ratio));
    if (baseline) texts.push(ratioLine("Over the baseline's ratio", baseline));
    if (typeof json.least_visible === 'number') {
        texts.push(`The smallest change that could be seen: ${ratioText(json.least_visible)}.`);
    }
    if (json.launching) texts.push('Shorter than twice an empty launch: it tells about launching.');
    if (json.in_cache) texts.push('The buffers fit in the last-level cache.');
    if (json.decision && json.decision !== 'none') texts.push(`Decision: ${json.decision}.`);
    return texts.length === 0 ? null : block('Same speed?', bullets(texts));
}

/// What a launch says of itself: names of this list and no others, in this order.
const RESOURCES = [['registers', 'Registers'], ['spill_bytes', 'Spilled bytes'],
    ['private_bytes', 'Private bytes'], ['local_bytes', 'Local bytes'], ['barriers', 'Barriers'],
    ['max_group_items', 'Most items a group'], ['groups_per_unit', 'Groups a unit']];

function launchRow(side, launch) {
    const resources = objectOf(launch.resources);
    const size = (value) => listOf(value).map(String).join(' × ');
    const said = (value) => (value === undefined || value === null ? '' : String(value));
    return { cells: [side, said(launch.name), size(launch.groups), size(launch.items),
        said(launch.local_bytes), ...RESOURCES.map(([key]) => said(resources[key]))] };
}

function launchesBlock(item) {
    const rows = [['A', item.a], ['B', item.b]].flatMap(([name, side]) => listOf(side.launches)
        .map((launch) => launchRow(name, objectOf(launch))));
    if (rows.length === 0) return null;
    const heads = ['Side', 'Kernel', 'Groups', 'Items', 'Dynamic local bytes'];
    const part = block('Launches', grid([...heads, ...RESOURCES.map(([, name]) => name)], rows));
    part.classList.add('launches');
    return part;
}

function caseLine(json) {
    const constants = Object.entries(objectOf(json.constants)).map(([name, n]) => `${name}=${n}`);
    return [json.type, listOf(json.shape).join(' × '), ...constants].join(' · ');
}

function detailOf(item) {
    const { json } = item;
    const text = kernelTexts.findIndex((texts) => texts.file === json.file);
    return el('div', { class: 'details' },
        el('p', { class: 'verdict-line' }, badge(item.verdict), ' ',
            el('span', {}, json.reason ?? '')),
        el('p', { class: 'muted' }, caseLine(json), json.file ? ` · ${json.file}` : '',
            json.source_hash ? ` (${json.source_hash})` : '', text < 0 ? null : ' ',
            text < 0 ? null : el('button', { type: 'button', on: { click: () => showText(text) } },
                'Show its texts')),
        whyBlock(item),
        el('div', { class: 'blocks' }, [sidesTable(item), kernelBlock(objectOf(json.kernel)),
            answerBlock(item), speedBlock(item), launchesBlock(item)].filter(
            (part) => part !== null)));
}
