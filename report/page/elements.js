// Elements made without a word of markup. C++ has made all texts printable.

/// An element. `attributes`: `class` and others by name (null, false: none), `on` a map of
/// listeners. Children: nodes and texts; null: none.
function el(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name === 'on') {
            for (const [event, listener] of Object.entries(value)) {
                element.addEventListener(event, listener);
            }
        } else if (name === 'style') {
            element.style.cssText = value; // the page's policy lets no attribute do this
        } else if (value !== null && value !== undefined && value !== false) {
            element.setAttribute(name, value === true ? '' : value);
        }
    }
    const all = children.flat(Infinity).filter((child) => child !== null && child !== undefined);
    element.append(...all.flatMap(
        (child) => (typeof child === 'string' && tag !== 'option' ? breakable(child) : child)));
    return element;
}

/// The text, whose lines may break after the slash of a name: `suite/` `variant`.
function breakable(text) {
    return text.split(/(?<=\w\w\/)(?=\w\w)/).flatMap((part, i) => (i === 0 ? part : [
                                                         document.createElement('wbr'), part
                                                     ]));
}

function svg(tag, attributes, ...children) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
}

function byId(id) {
    return document.getElementById(id);
}

function readJson(id) {
    return JSON.parse(byId(id).textContent);
}

function listOf(value) {
    return Array.isArray(value) ? value : [];
}

/// A name, kept apart from what stands beside it whatever its direction of writing.
function nameOf(text, attributes = {}) {
    return el('bdi', { class: 'name', ...attributes }, text);
}

function bullets(texts) {
    return texts.length === 0 ? null : el('ul', {}, texts.map((text) => el('li', {}, text)));
}

/// All of these are one stop of the Tab key; the arrow keys go from one to the next.
function oneStop(container, selector) {
    const items = () => [...container.querySelectorAll(selector)];
    const stopAt = (stop) => items().forEach((item) => { item.tabIndex = item === stop ? 0 : -1; });
    stopAt(items()[0]);
    container.addEventListener('keydown', (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        const all = items(), at = all.indexOf(document.activeElement);
        if (!step || at < 0) return;
        event.preventDefault();
        const next = all[(at + step + all.length) % all.length];
        stopAt(next);
        next.focus();
    });
}

/// How many rows there are: `2,000`.
function whole(count) {
    return count.toLocaleString('en');
}

function folded(title, ...content) {
    return el('details', { class: 'fold' }, el('summary', {}, el('h3', {}, title)), content);
}
