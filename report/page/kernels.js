// Both texts of a kernel file next to each other, line against line, scrolled together.

let kernelTexts = [];

/// The lines of a CUDA text by the numbers that its compiler gives them: what stands before the
/// first `#line 1` is the prelude.
function splitPrelude(text) {
    const lines = visibleLines(text).split('\n');
    const start = lines.findIndex((line) => /^#line 1\b/.test(line));
    return { prelude: lines.slice(0, Math.max(0, start)), body: lines.slice(start + 1) };
}

function withoutLastEmpty(lines) {
    return lines[lines.length - 1] === '' ? lines.slice(0, -1) : lines;
}

function fillText(box, lines, count, differs, language) {
    const [gutter, pre] = box.querySelectorAll('pre');
    gutter.replaceChildren(...Array.from({ length: count }, (_, i) => el('span',
        { class: differs[i] ? 'differs' : null }, i < lines.length ? String(i + 1) : '~')));
    const code = el('code', { class: language });
    code.textContent = lines.concat(Array(count - lines.length).fill('')).join('\n');
    pre.replaceChildren(code);
    if (lines.length > 0) hljs.highlightBlock(code);
    box.scrollTop = 0;
    box.scrollLeft = 0;
}

function fillPrelude(lines, language) {
    const details = byId('texts-prelude');
    const text = lines.join('\n').trim();
    details.hidden = text === '';
    details.querySelector('summary').textContent =
        `What stands before the CUDA text (${plural(text.split('\n').length, 'line')})`;
    const code = el('code', { class: language });
    code.textContent = text;
    details.querySelector('pre').replaceChildren(code);
    if (text !== '') hljs.highlightBlock(code);
}

let languages = null;

function drawText(texts) {
    languages ??= { a: addLanguage('opencl-c', OPENCL_WORDS),
        b: addLanguage('cuda-cpp', CUDA_WORDS) };
    const left = withoutLastEmpty(visibleLines(texts.opencl ?? '').split('\n'));
    const { prelude, body } = splitPrelude(texts.cuda ?? '');
    const right = withoutLastEmpty(body);
    const count = Math.max(left.length, right.length);
    const bare = (line) => (line ?? '').replace(/\s+/g, '');
    const differs = Array.from({ length: count }, (_, i) => right.length > 0 && left.length > 0 &&
        bare(left[i]) !== bare(right[i]));
    fillPrelude(prelude, languages.b);
    fillText(byId('text-a'), left, count, differs, languages.a);
    fillText(byId('text-b'), right, count, differs, languages.b);
    const none = [left.length === 0 && 'It has no OpenCL text.', right.length === 0 &&
        'It has no CUDA text: it was not translated.'].filter(Boolean).join(' ');
    byId('texts-note').textContent = none ||
        `${whole(differs.filter(Boolean).length)} of ${plural(count, 'line')} differ, marked ` +
        'beside their numbers.';
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

function readTexts() {
    kernelTexts = listOf(JSON.parse(byId('kernels').textContent)).map(objectOf);
}

function showTexts() {
    byId('texts').hidden = kernelTexts.length === 0;
    if (kernelTexts.length === 0) return;
    const select = byId('texts-file');
    select.replaceChildren(...kernelTexts.map((texts, i) => el('option', { value: String(i) },
        texts.file ?? '')));
    select.addEventListener('change', () => drawText(kernelTexts[Number(select.value)]));
    tieScrolling(byId('text-a'), byId('text-b'));
    drawText(kernelTexts[0]);
}
