// The course: a choice is taken before the answer unfolds.
const score = byId('score');
let asked = 0, right = 0;

themeButton();

const following = (element) => {
    let next = element.nextElementSibling;
    while (next && next.tagName !== 'DETAILS' && next.tagName !== 'H3') {
        next = next.nextElementSibling;
    }
    return next && next.tagName === 'DETAILS' ? next : null;
};

for (const box of document.querySelectorAll('.choices')) {
    const rights = (box.dataset.right ?? '').split(' ').filter((word) => word !== '');
    const answer = following(box);
    const buttons = [];
    const reveal = () => {
        for (const [index, one] of buttons.entries()) {
            one.disabled = true;
            if (rights.includes(String(index + 1))) one.classList.add('right');
        }
    };
    for (const [index, item] of box.querySelectorAll('li').entries()) {
        const choice = el('button', { type: 'button' }, ...item.childNodes);
        item.append(choice);
        buttons.push(choice);
        choice.addEventListener('click', () => {
            const is_right = rights.includes(String(index + 1));
            choice.classList.add('chosen');
            if (!is_right) choice.classList.add('not-right');
            if (rights.length > 0) {
                asked += 1;
                right += is_right ? 1 : 0;
                score.textContent = `${right} of ${asked} predicted`;
            }
            reveal();
            if (answer) answer.open = true;
        });
    }
    if (answer) answer.addEventListener('toggle', () => { if (answer.open) reveal(); });
}

for (const table of document.querySelectorAll('.course table')) {
    const box = el('div', { class: 'scroll' });
    table.replaceWith(box);
    box.append(table);
}

// A caption is a paragraph of emphasised words right before its code.
for (const pre of document.querySelectorAll('pre')) {
    const caption = pre.previousElementSibling;
    if (caption?.tagName !== 'P' || caption.childNodes.length !== 1) continue;
    const words = caption.firstElementChild;
    if (words?.tagName !== 'EM') continue;
    caption.className = 'source';
    caption.replaceChildren(...words.childNodes);
}

const languages = {
    c: addLanguage('opencl', OPENCL_WORDS),
    cpp: addLanguage('cuda', CUDA_WORDS),
    diff: 'diff',
};
for (const code of document.querySelectorAll('pre code[class^="language-"]')) {
    const language = languages[code.className.slice('language-'.length)];
    if (!language) continue;
    code.className = language;
    hljs.highlightBlock(code);
}

/// What is wider than its place is in reach of the keyboard, which scrolls it.
function reachScrolled() {
    for (const pre of document.querySelectorAll('pre')) {
        if (pre.scrollWidth > pre.clientWidth) pre.tabIndex = 0;
        else pre.removeAttribute('tabindex');
    }
}
reachScrolled();
window.addEventListener('resize', reachScrolled);
