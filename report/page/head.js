// The title, the verdicts' counts, the warnings, the summary, and what lies beside the cases.

function showHead() {
    const { title, subtitle, sentence, answers, gaps, warnings, foot } = data;
    document.title = `${title}: Parallax`;
    byId('title').textContent = title;
    byId('sentence').textContent = sentence;
    byId('answers').replaceChildren(...answers.map((line) => el('li', {}, line)));
    byId('gaps').replaceChildren(...gaps.map(({ case: place, name, words, tone, cause }) => el(
        'li', { class: tone },
        el('a', { href: `#case-${place}` }, nameOf(name)), ' ', el('strong', { class: 'word' }, words), el('p', {}, cause))));
    byId('gaps').hidden = gaps.length === 0;
    oneStop(byId('gaps'), 'a');
    byId('subtitle').textContent = subtitle;
    byId('warnings').replaceChildren(...warnings.map((warning) => el('li', {}, warning)));
    byId('warnings').hidden = warnings.length === 0;
    byId('foot').textContent = foot;
    if (cases.length > 0) showVerdicts();
}

/// A button for each verdict, which shows its cases, and a bar of their shares.
function showVerdicts() {
    const bar = el('div', { class: 'shares', 'aria-hidden': 'true' });
    for (const { tone, count } of data.verdicts) {
        bar.append(el('span', { class: tone, style: `flex-grow:${count}` }));
    }
    const buttons = data.verdicts.map(({ word, tone, count }) => el('button', {
        type: 'button', class: `tally ${tone}`, title: 'Show in the table',
        on: { click: () => showOnly(tone) },
    }, el('strong', {}, whole(count)), ' ', badge(tone, word)));
    byId('verdicts').replaceChildren(el('div', { class: 'tallies' }, buttons), bar);
    oneStop(byId('verdicts'), 'button');
}

function showSummary() {
    byId('summary-sections').replaceChildren(...data.sections.map(
        (section) => {
            const part = folded(section.title, sectionContent(section));
            part.open = section.open === true;
            return part;
        }));
}

/// How many cases of each suite have which verdict; a suite's name shows its cases.
function showSuites() {
    byId('suites-table').replaceChildren(...gridTable(data.counts, (row) => el('button', {
        type: 'button', class: 'link', title: 'Show in the table',
        on: { click: () => showSuite(textOf(row.cells[0])) } }, nameOf(textOf(row.cells[0])))));
}

function showEnvironment() {
    byId('environment-table').replaceChildren(...(data.environment.rows.length === 0
        ? [el('p', {}, 'Nothing is known of either side.')] : gridTable(data.environment)));
    byId('never').replaceChildren(...(data.never.length === 0 ? []
        : [el('h3', {}, 'What can never be equal between the two'), bullets(data.never)]));
}
