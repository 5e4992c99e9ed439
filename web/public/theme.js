// Applies the chosen theme before the first paint. Keep in step with kit/theme.ts.
(() => {
  try {
    const theme = localStorage.getItem('highstreet.theme');
    if (theme !== 'light' && theme !== 'dark') return;
    document.documentElement.dataset.theme = theme;
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.media = meta.dataset.theme === theme ? 'all' : 'not all';
  } catch {
    // Storage can be forbidden: then the system's theme applies.
  }
})();
