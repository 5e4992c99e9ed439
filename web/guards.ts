import type { Session } from '#web/auth/session.data.ts';
import { isLocalPath } from './kit/links.ts';

export type Access = 'public' | 'signed-out' | 'setup' | 'user' | 'manager' | 'admin';

export type Verdict = { show: 'screen' | 'admin-only' } | { goTo: string; state?: SignInState };

/** What the sign-in screen is told through the browser's history, which keeps it out of the address. */
export interface SignInState {
  /** Where the person wanted to go. */
  from?: string;
  /** The server ended the session, which deserves a word. */
  ended?: boolean;
}

/** Who may see a screen, and where everyone else goes. Comfort only: the server decides on every call. */
export function judge(access: Access, session: Session, here: string, state: unknown): Verdict {
  if (!session.user) return judgeVisitor(access, session, here);
  if (access === 'signed-out') return { goTo: targetOf(state) };
  if (access === 'setup') return { goTo: '/' };
  if (access === 'manager' && session.user.role === 'user') return { goTo: '/crm' };
  if (access === 'admin' && session.user.role !== 'admin') return { show: 'admin-only' };
  return { show: 'screen' };
}

function judgeVisitor(access: Access, { why, setup }: Extract<Session, { user: null }>, here: string): Verdict {
  if (setup.needed) return access === 'setup' ? { show: 'screen' } : { goTo: '/setup' };
  if (access === 'public' || access === 'signed-out') return { show: 'screen' };
  // Whoever logged out leaves nothing behind; the next person starts at their own home.
  if (access === 'setup' || why === 'left') return { goTo: '/auth' };
  return { goTo: '/auth', state: why === 'ended' ? { from: here, ended: true } : { from: here } };
}

/** Where to go after sign-in: only ever a path of this app. */
export function targetOf(state: unknown): string {
  const from = (state as SignInState | null)?.from;
  return isLocalPath(from) ? from : '/';
}
