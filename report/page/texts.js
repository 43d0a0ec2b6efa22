// Colours the words of kernel texts that stand in a page already, marks and links included: without
// JavaScript all is there but the colours.

const textLanguages = window.hljs
    ? { a: addLanguage('opencl-c', OPENCL_WORDS), b: addLanguage('cuda-cpp', CUDA_WORDS) } : null;

/// Runs of classes of a highlighted text: [start, end, class] by characters.
function runsOf(html) {
    const box = new DOMParser().parseFromString(`<div>${html}</div>`, 'text/html').body.firstChild;
    const runs = [];
    let at = 0;
    const walk = (node, name) => {
        for (const child of node.childNodes) {
            if (child.nodeType === Node.TEXT_NODE) {
                if (name) runs.push([at, at + child.data.length, name]);
                at += child.data.length;
            } else {
                walk(child, child.className || name);
            }
        }
    };
    walk(box, '');
    return runs;
}

/// Puts the runs that touch a text node around its parts.
function colourNode(node, start, runs) {
    const end = start + node.data.length;
    const parts = document.createDocumentFragment();
    let done = start;
    const text = (to) => node.data.slice(done - start, to - start);
    for (const [from, to, name] of runs) {
        if (to <= done || from >= end) continue;
        if (from > done) parts.append(text(from));
        done = Math.max(done, from);
        const span = document.createElement('span');
        span.className = name;
        span.append(text(Math.min(to, end)));
        parts.append(span);
        done = Math.min(to, end);
    }
    if (parts.childNodes.length === 0) return;
    parts.append(text(end));
    node.replaceWith(parts);
}

/// Colours cells as one text, so that a comment may go over lines.
function colourTogether(cells, language) {
    const texts = cells.map((cell) => cell.textContent);
    const runs = runsOf(hljs.highlight(language, texts.join('\n'), true).value);
    let start = 0, first = 0;
    cells.forEach((cell, i) => {
        const end = start + texts[i].length;
        while (first < runs.length && runs[first][1] <= start) ++first;
        let last = first;
        while (last < runs.length && runs[last][0] < end) ++last;
        const touching = runs.slice(first, last);
        const nodes = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        const found = [];
        while (nodes.nextNode()) found.push(nodes.currentNode);
        let at = start;
        for (const node of found) {
            const length = node.data.length;
            colourNode(node, at, touching);
            at += length;
        }
        start = end + 1;
    });
}

/// All texts within an element.
function colourTexts(element) {
    if (!textLanguages) return;
    const { a, b } = textLanguages;
    const cells = (where, selector) => [...where.querySelectorAll(`${selector} > code`)];
    for (const table of element.querySelectorAll('table.pair')) {
        colourTogether(cells(table, 'td.code.a'), a);
        colourTogether(cells(table, 'td.code.b'), b);
    }
    for (const table of element.querySelectorAll('table.changes')) {
        // Each side is a text of its own: what both have is coloured with the new one.
        colourTogether(cells(table, 'tr.removed > td.code'), a);
        colourTogether(cells(table, 'tr:not(.removed) > td.code'), a);
    }
    for (const code of cells(element, 'pre.texts')) colourTogether([code], b);
}
