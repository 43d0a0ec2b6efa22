// Texts and numbers as people read them, and elements made without a word of markup.

// Characters that steer a terminal or the direction of writing, or that nobody sees
const HIDDEN = new RegExp(
    '[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5' +
    '\\u180b-\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff' +
    '\\uffa0\\ufff0-\\ufffb' +
    '\\ud800-\\udfff\\u{e0000}-\\u{e0fff}]', 'gu');

/// The text with such characters spelt as `\x1b`, `\u202e`.
function visible(text) {
    return String(text).replace(HIDDEN, (character) => {
        const code = character.codePointAt(0).toString(16);
        return code.length > 4 ? `\\u{${code}}`
            : code.length > 2 ? `\\u${code.padStart(4, '0')}`
            : `\\x${code.padStart(2, '0')}`;
    });
}

/// The same of a text of several lines, which keeps its line ends and tabs.
function visibleLines(text) {
    return String(text).replace(/\r\n/g, '\n').split('\n')
        .map((line) => line.split('\t').map(visible).join('\t')).join('\n');
}

/// An element. `attributes`: `class` and others by name (null, false: none), `on` a map of
/// listeners.
/// Children: nodes, and texts, which are made visible.
function el(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name === 'on') {
            for (const [event, listener] of Object.entries(value)) {
                element.addEventListener(event, listener);
            }
        } else if (value !== null && value !== undefined && value !== false) {
            element.setAttribute(name, value === true ? '' : value);
        }
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined)
        .map((child) => (child instanceof Node ? child : visible(child))));
    return element;
}

function byId(id) {
    return document.getElementById(id);
}

/// A name, kept apart from what stands beside it whatever its direction of writing.
function nameOf(text, attributes = {}) {
    return el('bdi', { class: 'name', ...attributes }, text);
}

/// What the file holds in the place of a list or an object may be anything.
function listOf(value) {
    return Array.isArray(value) ? value : [];
}
function objectOf(value) {
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
}

/// A number, or the bits of one that JSON cannot hold (`0x7ff8000000000000`); NaN for anything
/// else.
function numberOf(value) {
    if (typeof value === 'number') return value;
    if (typeof value !== 'string' || !/^0x[0-9a-f]{16}$/i.test(value)) return NaN;
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(value));
    return view.getFloat64(0);
}

function unusual(value) {
    return Number.isNaN(value) ? 'NaN' : value > 0 ? 'infinity' : '-infinity';
}

/// Three significant digits, or all of the whole part.
function threeDigits(value) {
    if (!Number.isFinite(value)) return unusual(value);
    const size = Math.abs(value);
    if (size !== 0 && (size < 0.001 || size >= 1e7)) return value.toExponential(2);
    const decimals = size >= 99.95 || size === 0 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2
        : Math.min(5, 2 - Math.floor(Math.log10(size)));
    return value.toFixed(decimals);
}

function duration(seconds) {
    if (!Number.isFinite(seconds)) return unusual(seconds);
    for (const [size, unit] of [[1, 's'], [1e-3, 'ms'], [1e-6, 'us'], [1e-9, 'ns']]) {
        if (seconds >= size * 0.9995 || unit === 'ns') {
            return `${threeDigits(seconds / size)} ${unit}`;
        }
    }
    return '';
}

/// Of a figure that was measured.
function percent(share) {
    return `${threeDigits(share * 100)} %`;
}

/// Of one that somebody chose: `2 %`.
function chosenPercent(share) {
    return `${Number((share * 100).toPrecision(3))} %`;
}

function whole(count) {
    return Number.isFinite(count) ? count.toLocaleString('en') : unusual(count);
}

function ulpText(value) {
    return `${Number.isInteger(value) ? whole(value) : threeDigits(value)} ULP`;
}

function plural(count, word) {
    return `${whole(count)} ${word}${count === 1 ? '' : 's'}`;
}

/// Three decimals; three digits where that would be nothing but zeros, or far too many.
function ratioText(value) {
    if (!Number.isFinite(value)) return unusual(value);
    return (value > 0 && value < 0.1) || value >= 1e5 ? value.toPrecision(3) : value.toFixed(3);
}

/// `(0.998–1.008)`
function intervalText(ratio) {
    return `(${ratioText(ratio.low)}–${ratioText(ratio.high)})`;
}

/// `1.64x`
function times(factor) {
    return `${factor < 100 ? factor.toFixed(2) : threeDigits(factor)}x`;
}
