// Both texts of a kernel file next to each other, line against line, scrolled together.

let kernelTexts = [];

function fillText(box, lines, count, differs, language) {
    const [gutter, pre] = box.querySelectorAll('pre');
    gutter.replaceChildren(...Array.from({ length: count }, (_, i) => el('span',
        { class: differs.has(i) ? 'differs' : null }, i < lines.length ? String(i + 1) : '~')));
    const code = el('code', { class: language },
        lines.concat(Array(count - lines.length).fill('')).join('\n'));
    pre.replaceChildren(code);
    if (lines.length > 0) hljs.highlightBlock(code);
    box.scrollTop = 0;
    box.scrollLeft = 0;
}

function fillPrelude({ prelude, prelude_title: title }, language) {
    const box = byId('texts-prelude');
    box.hidden = prelude.length === 0;
    box.querySelector('summary').textContent = title;
    const code = el('code', { class: language }, prelude.join('\n'));
    box.querySelector('pre').replaceChildren(code);
    if (prelude.length > 0) hljs.highlightBlock(code);
}

let languages = null;

function drawText(texts) {
    languages ??= { a: addLanguage('opencl-c', OPENCL_WORDS),
        b: addLanguage('cuda-cpp', CUDA_WORDS) };
    const count = Math.max(texts.a.length, texts.b.length);
    const differs = new Set(texts.differing);
    fillPrelude(texts, languages.b);
    fillText(byId('text-a'), texts.a, count, differs, languages.a);
    fillText(byId('text-b'), texts.b, count, differs, languages.b);
    byId('texts-note').textContent = texts.note;
}

function showText(index) {
    byId('texts-file').value = String(index);
    drawText(kernelTexts[index]);
    byId('texts').scrollIntoView();
    byId('text-a').focus({ preventScroll: true });
}

/// The one follows the other, both ways.
function tieScrolling(one, other) {
    const follow = (leader, follower) => leader.addEventListener('scroll', () => {
        follower.scrollTop = leader.scrollTop;
        follower.scrollLeft = leader.scrollLeft;
    });
    follow(one, other);
    follow(other, one);
}

function showTexts() {
    kernelTexts = readJson('kernels');
    byId('texts').hidden = kernelTexts.length === 0;
    if (kernelTexts.length === 0) return;
    const select = byId('texts-file');
    select.replaceChildren(...kernelTexts.map((texts, i) => el('option', { value: String(i) },
        texts.file)));
    select.addEventListener('change', () => drawText(kernelTexts[Number(select.value)]));
    tieScrolling(byId('text-a'), byId('text-b'));
    drawText(kernelTexts[0]);
}
