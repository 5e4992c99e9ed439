// Puts the chosen theme on the page before anything is painted. Keep in step with kit/theme.ts.
(() => {
  try {
    const theme = localStorage.getItem('highstreet.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage can be forbidden: then the system's theme it is.
  }
})();
