// What each side was run on and with, and what can never be equal between the two.

function environmentRows() {
    const facts = { a: objectOf(objectOf(diff.a).facts), b: objectOf(objectOf(diff.b).facts) };
    const differences = listOf(diff.environment).map(objectOf);
    const rows = new Map();
    for (const name of [...Object.keys(facts.a), ...Object.keys(facts.b)]) {
        const has = (side) => (Object.hasOwn(side, name) ? String(side[name]) : '');
        const [a, b] = [has(facts.a), has(facts.b)];
        rows.set(name, { name, a, b, differs: a !== b, forbids: false });
    }
    for (const { what, a, b, forbids } of differences) {
        const row = rows.get(String(what)) ?? { name: String(what), a: String(a), b: String(b) };
        rows.set(row.name, { ...row, differs: true, forbids: Boolean(forbids) });
    }
    return [...rows.values()];
}

function showEnvironment() {
    const rows = environmentRows();
    byId('environment-table').replaceChildren(
        el('caption', { class: 'hidden' }, 'The environment of each side'),
        el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, ''),
            el('th', { scope: 'col' }, 'A: ', nameOf(sideNames.a)),
            el('th', { scope: 'col' }, 'B: ', nameOf(sideNames.b)),
            el('th', { scope: 'col' }, el('span', { class: 'hidden' }, 'Differs')))),
        el('tbody', {}, rows.length === 0
            ? el('tr', {}, el('td', { colspan: 4 }, 'Nothing is known of either side.'))
            : rows.map(({ name, a, b, differs, forbids }) => el('tr',
                { class: forbids ? 'forbids' : differs ? 'differs' : null },
                el('th', { scope: 'row' }, name), el('td', {}, nameOf(a)), el('td', {}, nameOf(b)),
                el('td', {}, forbids ? '≠ forbids a comparison'
                    : differs ? '≠ differs' : '')))));
    const never = listOf(diff.never_equal);
    byId('never').replaceChildren(...(never.length === 0 ? []
        : [el('h3', {}, 'What can never be equal between the two'), bullets(never)]));
}
