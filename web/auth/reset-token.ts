let claimed: string | undefined;

/** Takes the token of a reset link out of the address bar, so that it stays in no history, screenshot or referrer. */
export function claimResetToken() {
  if (window.location.pathname !== '/reset-password') return;
  claimed = new URLSearchParams(window.location.search).get('token') || undefined;
  window.history.replaceState(window.history.state, '', '/reset-password');
}

/** The token this page was opened with. It lives in memory only. */
export const claimedResetToken = () => claimed;
