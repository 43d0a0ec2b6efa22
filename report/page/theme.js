// Light or dark: as the system has it until the reader chooses. It runs before anything is drawn
// and keeps nothing.
const theme = (() => {
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    const listeners = [];
    let chosen = null, printing = false, unfolded = [];

    const isDark = () => !printing && (chosen ?? system.matches);
    const apply = () => {
        document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
        for (const listener of listeners) listener();
    };
    const print = (on) => {
        printing = on;
        // Nobody opens a fold on paper.
        for (const fold of unfolded) fold.open = false;
        unfolded = on ? [...document.querySelectorAll('details:not([open])')] : [];
        for (const fold of unfolded) fold.open = true;
        apply();
    };
    system.addEventListener('change', apply);
    window.addEventListener('beforeprint', () => print(true));
    window.addEventListener('afterprint', () => print(false));
    apply();
    return {
        isDark,
        toggle() {
            chosen = !isDark();
            apply();
        },
        onChange(listener) { listeners.push(listener); },
    };
})();

/// A button that changes the theme, and what is told when it has changed.
function themeButton(changed = () => {}) {
    const button = document.getElementById('theme');
    const say = () => button.setAttribute('aria-pressed', String(theme.isDark()));
    button.addEventListener('click', () => theme.toggle());
    theme.onChange(() => {
        say();
        changed();
    });
    say();
}
