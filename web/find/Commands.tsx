import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { useConfirmedLogout } from '#web/auth/confirm-logout.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { type CommandName, hasCommand, useCommands } from '#web/commands/commands.ts';
import { closeDialog, openAddBusiness, openFind, openShortcuts, useOpenDialog } from '#web/commands/dialogs.ts';
import { setTheme } from '#web/kit/style/theme.ts';
import { toast, toasts } from '#web/kit/toasts.ts';
import { AlertDialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { takeAddRequest } from '#web/leads/adding/add-here.ts';
import { useMayAddLeads } from '#web/settings/settings.data.ts';
import { listenForKeys } from './keyboard.ts';

/** Listens for keys, offers the commands of every screen, and shows the palette and the shortcuts. */
export function Commands() {
  const { id, role } = useViewer();
  const [path, navigate] = useLocation();
  const mayAdd = useMayAddLeads();
  const dialog = useOpenDialog();
  const logOut = useConfirmedLogout();
  useEffect(() => listenForKeys(id), [id]);
  // The next user must not find the palette of the one before.
  useEffect(() => closeDialog, []);
  const openAsked = useEffectEvent(() => {
    const request = takeAddRequest();
    if (!request) return;
    navigate(path + request.search, { replace: true });
    openAddBusiness({ locate: request.locate });
  });
  useEffect(() => {
    if (mayAdd) openAsked();
  }, [mayAdd]);

  const goTo = (name: CommandName, path: string) => hasCommand(role, name) && (() => navigate(path));
  useCommands({
    find: () => openFind(),
    showShortcuts: openShortcuts,
    addBusiness: mayAdd && (() => openAddBusiness()),
    undo: (event) => event?.repeat || toasts.undo(),
    themeSystem: () => setTheme('system'),
    themeLight: () => setTheme('light'),
    themeDark: () => setTheme('dark'),
    logOut: logOut.start,
    goToToday: goTo('goToToday', '/today'),
    goToTrip: goTo('goToTrip', '/trip'),
    goToLeads: goTo('goToLeads', '/crm'),
    goToSearch: goTo('goToSearch', '/search'),
    goToCoverage: goTo('goToCoverage', '/coverage'),
    goToTerritories: goTo('goToTerritories', '/territories'),
    goToObjections: goTo('goToObjections', '/objections'),
    goToChanges: goTo('goToChanges', '/changes'),
    goToProposals: goTo('goToProposals', '/proposals'),
    goToAccount: goTo('goToAccount', '/account'),
    goToPhone: goTo('goToPhone', '/help/phone'),
    goToProgress: goTo('goToProgress', '/progress'),
    goToReports: goTo('goToReports', '/reports'),
    goToImport: goTo('goToImport', '/import'),
    goToUsers: goTo('goToUsers', '/users'),
    goToDuplicates: goTo('goToDuplicates', '/duplicates'),
    goToSweeps: goTo('goToSweeps', '/sweeps'),
    goToAudit: goTo('goToAudit', '/audit'),
    goToSystem: goTo('goToSystem', '/system'),
    goToSettings: goTo('goToSettings', '/settings'),
  });

  return (
    <>
      {dialog?.name === 'find' && <Loaded load={loadPalette} initialText={dialog.text} />}
      {dialog?.name === 'addBusiness' && <Loaded load={loadAddBusiness} locate={dialog.locate} onClose={closeDialog} />}
      {dialog?.name === 'shortcuts' && <Loaded load={loadShortcuts} onClose={closeDialog} />}
      <AlertDialog {...logOut.dialog} />
    </>
  );
}

const loadPalette = async () => (await import('./Palette.tsx')).Palette;
const loadAddBusiness = async () => (await import('#web/leads/adding/AddBusiness.tsx')).AddBusiness;
const loadShortcuts = async () => (await import('./ShortcutsDialog.tsx')).ShortcutsDialog;

type LoadedProps<Props> = Props & { load: () => Promise<ComponentType<Props>> };

/** Loads a dialog when it is first opened; one that cannot be loaded closes with a toast. */
function Loaded<Props extends object>({ load, ...props }: LoadedProps<Props>) {
  const [Part, setPart] = useState<ComponentType<Props>>();
  useEffect(() => {
    load().then(
      (loaded) => setPart(() => loaded),
      () => {
        toast({
          title: 'This could not be loaded',
          description: 'Check your connection and try again.',
          tone: 'destructive',
        });
        closeDialog();
      },
    );
  }, [load]);
  return Part && <Part {...(props as unknown as Props)} />;
}
