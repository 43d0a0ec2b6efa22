// Shows the sections in their order; one that fails says so and leaves the others alone.

function showSections() {
    const sections = [...document.querySelectorAll('main > section')].filter(
        (section) => !section.hidden && section.id !== 'head');
    byId('sections').replaceChildren(...sections.map((section) => el('li', {},
        el('a', { href: `#${section.id}` }, section.querySelector('h2').textContent))));
    oneStop(byId('sections'), 'a');
    oneStop(document.querySelector('.tools'), 'button');
}

function attempt(part) {
    try {
        part();
    } catch (error) {
        byId('broken').hidden = false;
        byId('broken').append(`A part of the page could not be shown: ${error}. `);
        console.error(error);
    }
}

function start() {
    readData();
    const empty = cases.length === 0;
    for (const id of ['suites', 'cases', 'ratios']) byId(id).hidden = empty;
    byId('roofline').hidden = data.roofline.points.length === 0 &&
        data.rates.bars.length === 0;
    for (const show of [showHead, showSummary, showSuites, showTable, showSweeps, showTexts,
        showEnvironment, showDownloads, showSections]) attempt(show);
    themeButton(drawAll);
    if (empty) return;
    window.addEventListener('hashchange', showLinked);
    drawers.push(...[drawRatios, drawRoofline, drawRates, drawSweeps].map(
        (part) => () => attempt(part)));
    drawAll();
    attempt(showLinked);
    let waiting = 0;
    table.listeners.push(() => {
        window.clearTimeout(waiting);
        waiting = window.setTimeout(() => drawers.slice(0, 3).forEach((part) => part()), 100);
    });
}

attempt(start);
