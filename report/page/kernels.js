// Both texts of a kernel file next to each other: the page holds all files and shows one.

function kernelFiles() {
    return [...document.querySelectorAll('#texts article')];
}

function showText(index) {
    byId('texts-file').value = String(index);
    drawText(index);
    byId('texts').scrollIntoView();
    byId('texts-file').focus({ preventScroll: true });
}

function drawText(index) {
    kernelFiles().forEach((file, i) => { file.hidden = i !== index; });
    const file = kernelFiles()[index];
    if (!file.dataset.coloured) colourTexts(file);
    file.dataset.coloured = 'true';
}

function showTexts() {
    const files = kernelFiles(), select = byId('texts-file');
    byId('texts').hidden = files.length === 0;
    if (files.length === 0) return;
    select.replaceChildren(...files.map(({ dataset }, i) => el('option', { value: String(i) },
        dataset.file)));
    select.addEventListener('change', () => drawText(Number(select.value)));
    drawText(0);
}
