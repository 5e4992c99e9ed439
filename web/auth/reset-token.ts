let claimed: string | undefined;

/** Moves the token of a reset link from the URL to memory: not in the history, a screenshot or a referrer. */
export function claimResetToken() {
  if (window.location.pathname !== '/reset-password') return;
  claimed = new URLSearchParams(window.location.search).get('token') || undefined;
  window.history.replaceState(window.history.state, '', '/reset-password');
}

/** The token that this page was opened with. */
export const claimedResetToken = () => claimed;
