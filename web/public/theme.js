// Applies the chosen theme and density before the first paint. Keep in step with kit/style.
(() => {
  try {
    const root = document.documentElement;
    if (localStorage.getItem('highstreet.density') === 'compact') root.dataset.density = 'compact';
    const theme = localStorage.getItem('highstreet.theme');
    if (theme !== 'light' && theme !== 'dark') return;
    root.dataset.theme = theme;
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.media = meta.dataset.theme === theme ? 'all' : 'not all';
  } catch {
    // Storage can be forbidden: then the system's theme applies.
  }
})();
