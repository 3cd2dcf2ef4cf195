// Sets the theme before the first paint; runs before everything else, so that nothing flashes.
// `window.setTheme` is how the account menu changes it: "system", "light" or "dark".
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const read = () => {
    try {
      return localStorage.getItem("theme") ?? "system";
    } catch {
      return "system";
    }
  };
  const apply = () => {
    const chosen = read();
    const theme = chosen === "system" ? (dark.matches ? "dark" : "light") : chosen;
    root.dataset.theme = theme;
    root.style.colorScheme = theme;
    const color = document.querySelector('meta[name="theme-color"]');
    color?.setAttribute("content", theme === "dark" ? "#0c0f14" : "#ffffff");
    root.dispatchEvent(new CustomEvent("themechange", { detail: chosen }));
  };
  dark.addEventListener("change", apply);
  addEventListener("storage", apply);
  window.readTheme = read;
  window.setTheme = (chosen) => {
    try {
      localStorage.setItem("theme", chosen);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    apply();
  };
  apply();
})();
