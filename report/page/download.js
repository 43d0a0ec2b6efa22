// The data of the page as files: JSON and the table of the cases, as they came.

function save(name, type, text) {
    const url = URL.createObjectURL(new Blob([text], { type }));
    const link = el('a', { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    window.setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function showDownloads() {
    // The text as it is, not read and written again: numbers above 2^53 keep all of their digits.
    byId('download-json').addEventListener('click',
        () => save('parallax-diff.json', 'application/json',
            `${byId('diff').textContent}\n`));
    byId('download-csv').addEventListener('click',
        () => save('parallax-cases.csv', 'text/csv', readJson('data').csv));
}
