// The title, the verdicts' counts, the warnings, and the summary.

function showHead() {
    const { a, b } = sideNames;
    document.title = visible(`${a} and ${b}: Parallax`);
    byId('title').replaceChildren(
        el('span', { class: 'side a' }, 'A'), ' ', nameOf(a || 'unnamed'),
        el('span', { class: 'against' }, ' against '),
        el('span', { class: 'side b' }, 'B'), ' ', nameOf(b || 'unnamed'));
    byId('subtitle').textContent = cases.length === 0
        ? 'There are no cases: neither side has anything to compare.'
        : `${plural(cases.length, 'case')}, ` +
          `${diff.live ? 'measured in turns' : 'from stored records'}. ` +
          'A ratio is the time of B over the time of A: above 1, B is slower. Same means within ' +
          `${chosenPercent(margin)}.`;
    showVerdicts();
    const warnings = listOf(diff.warnings).filter((warning) => warning !== '');
    byId('warnings').replaceChildren(...warnings.map((warning) => el('li', {}, warning)));
    byId('warnings').hidden = warnings.length === 0;
    byId('foot').textContent =
        visible(`Written by Parallax ${diff.program_version ?? ''}. The page loads nothing; ` +
        'its data can be saved as JSON and CSV above.');
}

function countOf(verdict) {
    return cases.filter((item) => item.verdict === verdict).length;
}

/// A button for each verdict, which shows its cases, and a bar of their shares.
function showVerdicts() {
    if (cases.length === 0) return;
    const counts = VERDICTS.map((verdict) => [verdict, countOf(verdict)]);
    const bar = el('div', { class: 'shares', 'aria-hidden': 'true' });
    for (const [verdict, count] of counts) {
        if (count > 0) bar.append(el('span', { class: verdict.key, style: `flex-grow:${count}` }));
    }
    const buttons = counts.map(([verdict, count]) => el('button', {
        type: 'button', class: `tally ${verdict.key}`, disabled: count === 0,
        title: `${verdict.says}: show in the table`,
        on: { click: () => showOnly(verdict) },
    }, el('strong', {}, whole(count)), ' ', badge(verdict)));
    byId('verdicts').replaceChildren(el('div', { class: 'tallies' }, buttons), bar);
}

function figure(label, value, note) {
    return el('div', { class: 'figure' },
        el('div', { class: 'label' }, label),
        el('div', { class: 'value' }, value),
        note ? el('div', { class: 'note' }, note) : null);
}

function meanFigure(summary) {
    const mean = ratioOf(summary.geometric_mean);
    if (!mean) return figure('Geometric mean of the ratios', 'none', 'No case has a ratio.');
    const side = mean.low > 1 ? `B takes ${times(mean.value)} the time of A on average. `
        : mean.high < 1 ? `B is ${times(1 / mean.value)} as fast as A on average. ` : '';
    return figure('Geometric mean of the ratios', `${ratioText(mean.value)} ${intervalText(mean)}`,
        `${side}Over ${plural(summary.measured, 'measured case')}` +
        (mean.confidence > 0 ? `, interval at ${chosenPercent(mean.confidence)} confidence.`
            : '.'));
}

function portabilityFigure(summary) {
    const known = typeof summary.portability === 'number';
    const supported = typeof summary.portability_supported === 'number'
        ? ' Over the cases that run on both sides it is ' +
          `${percent(summary.portability_supported)}.` : '';
    return figure('Performance portability', known ? percent(summary.portability) : 'not known',
        (known ? '' : 'No ceiling was measured. ') +
        'The metric of Pennycook, Sewall and Lee: the harmonic mean of the efficiencies (shares ' +
        "of the device's own measured ceiling) over both sides and " +
        `${plural(summary.portability_cases ?? 0, 'portable case')}; 0 when a side lacks, fails or gets wrong a case.` +
        supported);
}

function decisionFigure() {
    const count = (name) => cases.filter((item) => item.json.decision === name).length;
    const asked = ['pass', 'fail', 'open'].map((name) => [name, count(name)]);
    if (typeof diff.max_slowdown !== 'number' && asked.every(([, n]) => n === 0)) return null;
    const limit = typeof diff.max_slowdown === 'number'
        ? `B may take ${chosenPercent(diff.max_slowdown)} longer than A`
        : 'The decision that was asked for';
    const against = diff.baseline ? `, against the baseline ${diff.baseline}` : '';
    return figure('Decision', asked.map(([name, n]) => `${whole(n)} ${name}`).join(', '),
        `${limit}${against}. An open case could not be decided.`);
}

function measuringFigure() {
    const side = (name) => {
        const environment = objectOf(diff[name]);
        return `${name.toUpperCase()}: ${plural(environment.records ?? 0, 'record')} of ` +
            plural(environment.runs ?? 0, 'run');
    };
    const live = diff.measuring_seconds > 0;
    return figure('Measuring', live ? duration(diff.measuring_seconds) : 'stored',
        (live ? 'Spent in timed batches. ' : 'Both sides come from records. ') +
        `${side('a')}; ${side('b')}.`);
}

function showSummary() {
    const summary = objectOf(diff.summary);
    const decided = figure('Decided',
        `${whole(summary.decided ?? 0)} of ${whole(summary.measured ?? 0)}`,
        'Measured cases whose verdict is SAME, FASTER or SLOWER.');
    byId('summary-figures').replaceChildren(...[decided, meanFigure(summary),
        portabilityFigure(summary),
        decisionFigure(), measuringFigure()].filter((part) => part !== null));
    showSelfChecks();
}

/// Cases measured against themselves: how often the clock said a difference that cannot be.
function showSelfChecks() {
    const checks = listOf(diff.self).map(objectOf);
    const said = (...keys) => checks.filter((c) => keys.includes(verdictOf(c.verdict).key)).length;
    const lied = said('faster', 'slower'), undecided = said('undecided');
    const open = undecided > 0 ? ` ${whole(undecided)} stayed undecided.` : '';
    if (checks.length === 0) {
        byId('self').replaceChildren(el('p', { class: 'muted' },
            'No case was measured against itself, so how often these verdicts lie is not known.'));
        return;
    }
    const rows = checks.map((check) => {
        const ratio = ratioOf(check.ratio);
        return el('tr', {}, el('th', { scope: 'row' }, nameOf(check.title)),
            el('td', {}, nameOf(check.device)), el('td', {}, badge(verdictOf(check.verdict))),
            el('td', { class: 'number' },
                ratio ? `${ratioText(ratio.value)} ${intervalText(ratio)}` : ''),
            el('td', { class: 'number' }, duration(numberOf(check.seconds))));
    });
    byId('self').replaceChildren(
        el('p', {},
            el('strong', {}, `${whole(lied)} of ${plural(checks.length, 'self check')} lied.`),
            ' A side measured against itself has no difference, so FASTER or SLOWER is untrue.',
            open),
        el('details', {}, el('summary', {}, 'The self checks'),
            el('div', { class: 'scroll' }, el('table', {},
                el('thead', {}, el('tr', {}, ['Case', 'Device', 'Verdict', 'Ratio', 'Time'].map(
                    (name) => el('th', { scope: 'col' }, name)))),
                el('tbody', {}, rows)))));
}
