import { z } from 'zod';

/**
 * Where the user came from. Each history entry has its position in the tab's history and the origin of its screen: the
 * last screen of another kind. `/business/1` and `/business/2` are of one kind, so that working through leads keeps it.
 */
const origin = z.object({ path: z.string().regex(/^\/(?!\/)/), position: z.number() });
const entry = z
  .object({ position: z.number().catch(0), origin: origin.optional().catch(undefined) })
  .catch({ position: 0, origin: undefined });

type Origin = z.infer<typeof origin>;

export const readOrigin = (): Origin | undefined => entry.parse(history.state).origin;

/** Goes back to the origin, which keeps its filters and its scroll position. `false`: there is none. */
export function goToOrigin(): boolean {
  const { position, origin } = entry.parse(history.state);
  if (!origin) return false;
  history.go(origin.position - position);
  return true;
}

/** What the history entry of a navigation is marked with. `dialogs`: how many are open, each with an entry of its own. */
export function markOrigin(to: string, { replace, dialogs }: { replace: boolean; dialogs: number }) {
  const current = entry.parse(history.state);
  const { pathname, search } = window.location;
  const position = replace ? current.position : current.position + 1;
  const kept = kindOf(to) === kindOf(pathname) || (replace && dialogs === 0);
  const origin = kept ? current.origin : { path: pathname + search, position: current.position - dialogs };
  return { ...(position > 0 && { position }), ...(origin && { origin }) };
}

/** The entry of a dialog is one more, of the same screen. */
export const markDialog = () => ({ position: entry.parse(history.state).position + 1 });

const kindOf = (url: string) => new URL(url, window.location.href).pathname.split('/')[1];
