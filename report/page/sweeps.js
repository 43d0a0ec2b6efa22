// Cases that are alike in all but one constant or one size, as curves with a line for each side.

const SWEEPS_AT_A_TIME = 12;

let sweepsShown = SWEEPS_AT_A_TIME;

function showSweeps() {
    byId('sweeps').hidden = data.curves.length === 0;
    byId('sweeps-more').addEventListener('click', () => {
        sweepsShown += SWEEPS_AT_A_TIME;
        drawSweeps();
    });
}

function drawSweeps() {
    if (data.curves.length === 0) return;
    const shown = data.curves.slice(0, sweepsShown);
    sidesLegend('sweeps-legend');
    byId('sweeps-grid').replaceChildren(...shown.map(({ title, note }, index) => el('figure', {},
        el('figcaption', {}, nameOf(title), el('span', { class: 'muted' }, note)),
        el('div', { class: 'chart small', id: `sweep-${index}` }))));
    const styles = ['a', 'b'].map(sideStyle);
    shown.forEach((curve, index) => draw(`sweep-${index}`, `${curve.title}, a line for each side`,
        0, curveConfig(curve, styles, byId('sweeps-grid').clientWidth)));
    const left = data.curves.length - shown.length;
    byId('sweeps-more').hidden = left === 0;
    byId('sweeps-more').textContent = `Show more (${whole(left)} left)`;
}
