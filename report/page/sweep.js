// The page of a sweep: what may be said of it, its curve, and a table of its points.

const data = readJson('sweep');
const MARKS = ['circle', 'triangle', 'rect', 'rectRot', 'star', 'cross'];
const SIGNS = ['●', '▲', '■', '◆', '✶', '+'];

/// Colour, mark and dashes of a line; the first two are those of the sides of a diff.
function lineStyle(index) {
    const tint = index < 2 ? colour(index === 0 ? 'side-a' : 'side-b')
        : `hsl(${(index * 137) % 360} 60% 50%)`;
    return { tint, pointStyle: MARKS[index % MARKS.length],
        dash: index % 2 === 0 ? [] : [6, 4] };
}

function drawCurve() {
    const lines = listOf(data.curve.lines);
    if (lines.length === 0) return;
    const styles = lines.map((line, index) => lineStyle(index));
    byId('curve-legend').replaceChildren(...lines.map(({ label }, index) => {
        const key = el('span', { class: 'key', 'aria-hidden': 'true' },
            SIGNS[index % SIGNS.length]);
        key.style.color = styles[index].tint;
        return el('span', {}, key, ' ', nameOf(label));
    }));
    draw('curve', data.curve.title, 360,
        curveConfig(data.curve, styles, byId('curve').clientWidth));
}

byId('title').textContent = data.title;
byId('claims').replaceChildren(...data.said.map((line) => el('li', {}, line)));
byId('remarks').replaceChildren(...data.remarks.map((line) => el('li', {}, line)));
if (data.points.rows) byId('points').replaceChildren(...gridTable(data.points));
drawers.push(drawCurve);
themeButton(drawAll);
drawAll();
