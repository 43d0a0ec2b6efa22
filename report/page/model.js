// The diff of this page, read once, with what the sections ask of its cases.

const VERDICTS = [
    { word: 'SAME', key: 'same', sign: '=', says: 'within the margin' },
    { word: 'FASTER', key: 'faster', sign: '▲', says: 'B is faster' },
    { word: 'SLOWER', key: 'slower', sign: '▼', says: 'B is slower' },
    { word: 'UNDECIDED', key: 'undecided', sign: '?', says: 'the interval does not decide' },
    { word: 'WRONG', key: 'wrong', sign: '✕', says: 'a side is not right or failed' },
    { word: 'NOT COMPARABLE', key: 'not-comparable', sign: '–', says: 'no speeds to compare' },
];
const STATUSES = ['ok', 'wrong', 'unsupported', 'failed', 'skipped', 'missing'];
const MOST_OPERATIONS_A_BYTE = 16;  // above it operations are what a case is about

let diff = {};     // as in the JSON
let cases = [];    // prepared, in the diff's order
let margin = 0.02;
let sideNames = { a: 'A', b: 'B' };

function verdictOf(word) {
    return VERDICTS.find((verdict) => verdict.word === word) ?? VERDICTS[VERDICTS.length - 1];
}

function ratioOf(json) {
    const ratio = objectOf(json);
    const [value, low, high] = [ratio.value, ratio.low, ratio.high].map(numberOf);
    return json === null || json === undefined ? null : { ...ratio, value, low, high };
}

/// Can it be drawn on a logarithmic axis?
function drawable(ratio) {
    return ratio !== null && [ratio.value, ratio.low, ratio.high].every(
        (value) => Number.isFinite(value) && value > 0);
}

function sideOf(json) {
    const side = objectOf(json);
    const measured = side.seconds > 0;
    const positive = (value) => (measured && value > 0 ? value : 0);
    return {
        ...side,
        measured,
        status: STATUSES.includes(side.status) ? side.status : 'missing',
        gigabytes: positive(side.gigabytes_per_second),
        gigaoperations: positive(side.gigaoperations_per_second),
        copy: side.copy_gigabytes_per_second > 0 ? side.copy_gigabytes_per_second : 0,
        fma: side.fma_gigaoperations_per_second > 0 ? side.fma_gigaoperations_per_second : 0,
    };
}

/// Which of its two rates a case is about: `byte` or `operation`.
function workOf(a, b) {
    const side = a.measured ? a : b;
    return side.operations > 0 && side.operations >= MOST_OPERATIONS_A_BYTE * side.bytes
        ? 'operation' : 'byte';
}

function prepared(json, index) {
    const [a, b] = [sideOf(json.a), sideOf(json.b)];
    const work = workOf(a, b);
    const rate = (side) => (work === 'operation' ? side.gigaoperations : side.gigabytes);
    return {
        index,
        json,
        a,
        b,
        work,
        title: String(json.title),
        verdict: verdictOf(json.verdict),
        ratio: ratioOf(json.ratio),
        rate: { a: rate(a), b: rate(b) },
        answer: answerOf(objectOf(json.answer), a, b),
        search: [json.title, json.suite, json.variant, json.type, json.reason, a.reason, b.reason,
            a.status, b.status].join('\n').toLowerCase(),
    };
}

/// What is said of the answers, and a number to sort them by.
function answerOf(answer, a, b) {
    const wrong = [['A', a], ['B', b]].filter(([, side]) => side.status === 'wrong')
        .map(([name]) => name);
    if (wrong.length > 0) return { text: `${wrong.join(' and ')} wrong`, order: 1e300 };
    if (answer.identical === true) return { text: 'identical', order: 0 };
    if (answer.identical !== false) {
        const both = a.status === 'ok' && b.status === 'ok';
        return both ? { text: 'not compared', order: NaN } : { text: '', order: NaN };
    }
    const ulp = numberOf(objectOf(answer.distance).largest_ulp);
    const known = answer.distance !== undefined;
    return { text: known ? `${ulpText(ulp)} apart` : 'differ', order: known ? ulp : 1e299 };
}

/// `1.64x faster`; empty where the verdict is neither faster nor slower.
function inWords(verdict, ratio) {
    if (!ratio || !(ratio.value > 0)) return '';
    if (verdict.key === 'faster') return `${times(1 / ratio.value)} faster`;
    if (verdict.key === 'slower') return `${times(ratio.value)} slower`;
    return '';
}

function rateUnit(work) {
    return work === 'operation' ? 'Gop/s' : 'GB/s';
}

/// A badge that says the verdict by word, sign and colour.
function badge(verdict, attributes = {}) {
    const { class: more = '', ...others } = attributes;
    return el('span', { class: `badge ${verdict.key} ${more}`, ...others },
        el('span', { class: 'sign', 'aria-hidden': 'true' }, verdict.sign), verdict.word);
}

/// Cases by suite, in the order of their first appearance.
function bySuite() {
    const suites = new Map();
    for (const item of cases) {
        const name = String(item.json.suite);
        if (!suites.has(name)) suites.set(name, []);
        suites.get(name).push(item);
    }
    return suites;
}

function readDiff() {
    diff = objectOf(JSON.parse(byId('diff').textContent));
    margin = diff.margin > 0 ? diff.margin : 0;
    cases = listOf(diff.cases).map((json, index) => prepared(objectOf(json), index));
    sideNames = { a: String(objectOf(diff.a).name ?? ''), b: String(objectOf(diff.b).name ?? '') };
}
