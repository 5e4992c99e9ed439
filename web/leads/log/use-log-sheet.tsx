import { useState } from 'react';
import type { LeadItem } from '#contract/leads/lead.ts';
import { canChangeLead } from '#contract/leads/lead-policy.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { LogSheet } from './LogSheet.tsx';

/**
 * Logs a contact with one of the leads on a screen. The sheet belongs to the screen, not to a row: a row moves away when its
 * lead does, and the sheet must stay.
 */
export function useLogSheet(items: readonly LeadItem[]) {
  const viewer = useViewer();
  const [logged, setLogged] = useState<LeadItem>();
  /** `false`: the viewer may not. */
  const log = (id: number) => {
    const item = items.find(({ userBusiness }) => userBusiness.id === id);
    if (!item || !canChangeLead(viewer, item.userBusiness)) return false;
    setLogged(item);
  };
  const sheet = logged && (
    <LogSheet leadRef={{ uuid: logged.userBusiness.uuid }} item={logged} onClose={() => setLogged(undefined)} />
  );
  return { log, sheet };
}
