// What documents published of the cases, in the sentences that the program made.

function showPublished() {
    const sentences = listOf(JSON.parse(byId('published').textContent));
    byId('documents').hidden = sentences.length === 0;
    byId('documents-list').replaceChildren(...(sentences.length === 0 ? [] : [bullets(sentences)]));
}
