// The columns of the table of cases: what a cell shows and what its column is sorted by.

const BAR = { width: 100, height: 16, most: 4 };  // a bar's size; ratios beyond are cut off

/// The ratio at a bar's right end: wide enough for nearly all cases, at least three margins.
function barReach() {
    const logs = cases.filter((item) => drawable(item.ratio)).map(
        ({ ratio }) => Math.max(Math.abs(Math.log(ratio.low)), Math.abs(Math.log(ratio.high))));
    logs.sort((x, y) => x - y);
    const most = logs.length > 0 ? logs[Math.floor((logs.length - 1) * 0.95)] : 0;
    return Math.min(Math.log(BAR.most), Math.max(most * 1.1, 3 * Math.log1p(margin), 0.01));
}

function svg(tag, attributes) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
}

/// The interval over the margin's band; 1 is in the middle. The cell beside it has the numbers.
function intervalBar(item, reach) {
    const { width, height } = BAR;
    const x = (ratio) => {
        const share = Math.max(-1, Math.min(1, Math.log(ratio) / reach));
        return width / 2 + share * (width / 2 - 5);
    };
    const middle = height / 2;
    const picture = svg('svg', { class: `interval ${item.verdict.key}`, width, height,
        viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true', focusable: 'false' });
    const band = [x(1 / (1 + margin)), x(1 + margin)];
    picture.append(
        svg('rect', { class: 'band', x: band[0], y: 0, width: band[1] - band[0], height }),
        svg('line', { class: 'one', x1: width / 2, x2: width / 2, y1: 0, y2: height }));
    if (!drawable(item.ratio)) return picture;
    const { value, low, high } = item.ratio;
    const [from, at, to] = [low, value, high].map(x);
    picture.append(svg('line', { class: 'range', x1: from, x2: Math.max(to, from + 1), y1: middle,
        y2: middle }));
    const log = Math.log(value);
    if (Math.abs(log) > reach) {
        const tip = log > 0 ? width - 1 : 1, back = log > 0 ? tip - 7 : tip + 7;
        picture.append(svg('path', { class: 'point',
            d: `M${tip} ${middle}L${back} ${middle - 4}L${back} ${middle + 4}Z` }));
    } else {
        picture.append(svg('circle', { class: 'point', cx: at, cy: middle, r: 3.5 }));
    }
    return picture;
}

function timeCell(side) {
    return side.measured ? duration(side.seconds) : '';
}

function rateCell(item, name) {
    return item.rate[name] > 0 ? `${threeDigits(item.rate[name])} ${rateUnit(item.work)}` : '';
}

function shareCell(side) {
    return side.share > 0 ? `${percent(side.share)} ${shortened(side.share_of ?? '', 8)}` : '';
}

function ratioCell(item) {
    if (!item.ratio) return [];
    const words = inWords(item.verdict, item.ratio);
    return [el('span', { class: 'ratio' }, el('strong', {}, ratioText(item.ratio.value)), ' ',
        el('span', { class: 'muted' }, intervalText(item.ratio))),
    words ? el('span', { class: `words ${item.verdict.key}` }, words) : null];
}

function titleCell(item) {
    const tags = [
        item.json.launching &&
            ['launch', 'Shorter than twice an empty launch: it tells about launching.'],
        item.json.in_cache && ['cache', 'Its buffers fit in the last-level cache.'],
        item.json.decision && item.json.decision !== 'none' &&
            [item.json.decision, 'The decision that was asked for.']].filter(Boolean);
    return [el('button', { type: 'button', class: 'open', 'aria-expanded': 'false' },
        el('span', { class: 'arrow', 'aria-hidden': 'true' }, '▸'), nameOf(item.title)),
    ...tags.map(([word, title]) => el('span', { class: `tag ${word}`, title }, word))];
}

/// `by`: what a case is sorted by, NaN last whichever the direction; `text`: of a cell, or nodes.
const COLUMNS = [
    { key: 'title', name: 'Case', by: (item) => item.title, content: titleCell, head: true },
    { key: 'verdict', name: 'Verdict', by: (item) => VERDICTS.indexOf(item.verdict),
        content: (item) => [badge(item.verdict, { title: visible(item.json.reason ?? '') })] },
    { key: 'ratio', name: 'Ratio', by: (item) => item.ratio?.value ?? NaN, content: ratioCell },
    { key: 'interval', name: 'Interval',
        by: (item) => (item.ratio ? item.ratio.high / item.ratio.low : NaN),
        content: (item, reach) => (item.ratio ? [intervalBar(item, reach)] : []) },
    { key: 'time-a', name: 'Time A', number: true, by: (item) => item.a.seconds ?? NaN,
        content: (item) => [timeCell(item.a)] },
    { key: 'time-b', name: 'Time B', number: true, by: (item) => item.b.seconds ?? NaN,
        content: (item) => [timeCell(item.b)] },
    { key: 'rate-a', name: 'Rate A', number: true, by: (item) => item.rate.a || NaN,
        content: (item) => [rateCell(item, 'a')] },
    { key: 'rate-b', name: 'Rate B', number: true, by: (item) => item.rate.b || NaN,
        content: (item) => [rateCell(item, 'b')] },
    { key: 'share-a', name: 'Ceiling A', number: true, by: (item) => item.a.share ?? NaN,
        content: (item) => [shareCell(item.a)] },
    { key: 'share-b', name: 'Ceiling B', number: true, by: (item) => item.b.share ?? NaN,
        content: (item) => [shareCell(item.b)] },
    { key: 'answer', name: 'Answer', by: (item) => item.answer.order,
        content: (item) => [item.answer.text] },
];
