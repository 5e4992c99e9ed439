import { LINK_PATHS } from '#contract/auth/link-paths.ts';

let claimed: string | undefined;

/** Moves the token of a link in a mail from the URL to memory: not in the history, a screenshot or a referrer. */
export function claimLinkToken() {
  const { pathname, search } = window.location;
  if (!LINK_PATHS.includes(pathname)) return;
  claimed = new URLSearchParams(search).get('token') || undefined;
  window.history.replaceState(window.history.state, '', pathname);
}

/** The token that this page was opened with. */
export const claimedLinkToken = () => claimed;
