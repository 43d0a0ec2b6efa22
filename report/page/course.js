// The course: a choice is taken before the answer unfolds.
const score = byId('score');
const boxes = [...document.querySelectorAll('.choices')];
let asked = 0, right = 0, answered = 0;

themeButton();

const following = (element) => {
    let next = element.nextElementSibling;
    while (next && next.tagName !== 'DETAILS' && next.tagName !== 'H3') {
        next = next.nextElementSibling;
    }
    return next && next.tagName === 'DETAILS' ? next : null;
};

/// How many of the page's questions have an answer, and how many of those that were graded are right.
function showScore() {
    score.textContent = `${answered} of ${boxes.length} answered` + (asked > 0 ? `, ${right} of ${asked} predicted` : '');
}
if (boxes.length > 0) showScore();

for (const box of boxes) {
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
            answered += 1;
            if (!is_right) choice.classList.add('not-right');
            if (rights.length > 0) {
                asked += 1;
                right += is_right ? 1 : 0;
            }
            showScore();
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

/// The lesson that is read, as a link to its beginning, and how much of the page is above.
const lessons = [...document.querySelectorAll('.course h2')];
const place = byId('place'), progress = byId('progress');
function showPlace() {
    const here = lessons.filter((title) => title.getBoundingClientRect().top < window.innerHeight / 2).pop();
    place.hidden = !here || lessons.length < 2;
    if (!place.hidden) {
        place.textContent = `Lesson ${lessons.indexOf(here) + 1} of ${lessons.length}: ${here.textContent}`;
        const anchor = here.previousElementSibling?.querySelector('a[id]');
        place.href = anchor ? `#${anchor.id}` : '#main';
    }
    const below = document.documentElement.scrollHeight - window.innerHeight;
    progress.value = below > 0 ? Math.min(1, window.scrollY / below) : 1;
}
showPlace();
window.addEventListener('scroll', showPlace, { passive: true });
window.addEventListener('resize', showPlace);
