// A page of kernel texts: it is whole without this.
themeButton();
colourTexts(document);
