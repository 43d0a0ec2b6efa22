// Light or dark: as the system has it until the reader chooses. It runs before anything is drawn
// and keeps nothing.
const theme = (() => {
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    const listeners = [];
    let chosen = null, printing = false;

    const isDark = () => !printing && (chosen ?? system.matches);
    const apply = () => {
        document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
        for (const listener of listeners) listener();
    };
    const print = (on) => {
        printing = on;
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
