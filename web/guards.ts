import { isLocalPath } from '#contract/local-path.ts';
import type { Session } from '#web/auth/session.data.ts';

export type Access = 'public' | 'signed-out' | 'setup' | 'user' | 'manager' | 'admin';

type RouteDecision = { show: 'screen' | 'admin-only' } | { redirectTo: string; state?: SignInState };

/** History state of the sign-in screen; unlike a query parameter, it is not in the URL. */
interface SignInState {
  /** The path to return to after sign-in. */
  from?: string;
  /** The server ended the session; the screen shows a notice. */
  ended?: boolean;
}

/** Whether the viewer may see a screen, and the redirect otherwise. For convenience only: the server checks every call. */
export function guardRoute(access: Access, session: Session, currentPath: string, state: unknown): RouteDecision {
  if (!session.user) return guardSignedOut(access, session, currentPath);
  if (access === 'signed-out') return { redirectTo: redirectTarget(state) };
  if (access === 'setup') return { redirectTo: '/' };
  if (access === 'manager' && session.user.role === 'user') return { redirectTo: '/crm' };
  if (access === 'admin' && session.user.role !== 'admin') return { show: 'admin-only' };
  return { show: 'screen' };
}

function guardSignedOut(
  access: Access,
  { reason, setup }: Extract<Session, { user: null }>,
  currentPath: string,
): RouteDecision {
  if (setup.needed) return access === 'setup' ? { show: 'screen' } : { redirectTo: '/setup' };
  if (access === 'public' || access === 'signed-out') return { show: 'screen' };
  // After a log-out the next user starts at their own home screen.
  if (access === 'setup' || reason === 'logged-out') return { redirectTo: '/auth' };
  const ended = reason === 'ended' ? { ended: true } : {};
  return { redirectTo: '/auth', state: { from: currentPath, ...ended } };
}

/** The path to open after sign-in: always one of this app. */
export function redirectTarget(state: unknown): string {
  const from = (state as SignInState | null)?.from;
  return isLocalPath(from) ? from : '/';
}
