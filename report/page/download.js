// The data of the page as files: JSON as it came, and a table of the cases.

function save(name, type, text) {
    const url = URL.createObjectURL(new Blob([text], { type }));
    const link = el('a', { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    window.setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/// A number, or the bits of one that JSON cannot hold (`0x7ff8000000000000`).
function numberOf(value) {
    if (typeof value !== 'string') return value;
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(value));
    return view.getFloat64(0);
}

/// A cell; a text that a spreadsheet would take for a formula gets an apostrophe.
function csvCell(value) {
    if (value === null || value === undefined) return '';
    if (typeof value === 'number') return String(value);
    let text = String(value);
    if (/^[\s\u0000]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(text)) text = `'${text}`;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csvRow(json) {
    const { ratio, answer } = json;
    const side = (s) => [s.status, s.reason, s.seconds, s.low, s.high, s.gigabytes_per_second,
        s.gigaoperations_per_second, s.share, s.share_of];
    return [json.title, json.suite, json.variant, json.type, json.shape.join(' '),
        Object.entries(json.constants).map(([name, n]) => `${name}=${n}`).join(' '),
        json.verdict, json.reason, json.decision,
        ...[ratio?.value, ratio?.low, ratio?.high].map(numberOf), ratio?.confidence, answer.identical, numberOf(answer.ulp_a), numberOf(answer.ulp_b),
        ...side(json.a), ...side(json.b)];
}

function csvText() {
    const side = (name) => ['status', 'reason', 'seconds', 'seconds_low', 'seconds_high',
        'gigabytes_per_second', 'gigaoperations_per_second', 'share', 'share_of'].map(
        (column) => `${column}_${name}`);
    const head = ['title', 'suite', 'variant', 'type', 'shape', 'constants', 'verdict', 'reason',
        'decision', 'ratio', 'ratio_low', 'ratio_high', 'confidence', 'identical', 'ulp_a', 'ulp_b',
        ...side('a'), ...side('b')];
    const rows = [head, ...readJson('diff').cases.map(csvRow)];
    return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function showDownloads() {
    // The text as it is, not read and written again: numbers above 2^53 keep all of their digits.
    byId('download-json').addEventListener('click',
        () => save('parallax-diff.json', 'application/json',
            `${byId('diff').textContent}\n`));
    byId('download-csv').addEventListener('click',
        () => save('parallax-cases.csv', 'text/csv', csvText()));
}
