import { Bookmark, Check, Pencil, Plus, RotateCcw, Save, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Viewer } from '#contract/users/user.ts';
import { canShareViews, toScreen, type ViewScreen } from '#contract/views/view.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { Menu, MenuGroup, MenuItem, MenuSeparator } from '#web/kit/ui/overlays/Menu.tsx';
import { ViewNameDialog } from '#web/views/ViewNameDialog.tsx';
import { useChangeView, useDeleteView, useViews, type View } from '#web/views/views.data.ts';
import { toContactsViewPath } from './activity/contacts-state.ts';
import { toReportViewPath } from './report-state.ts';

interface Props {
  viewer: Viewer;
  /** The id of the view that the screen was opened with. */
  saved: string;
  /** What a view of the screen as it is would store. */
  settings: Record<string, string>;
  /** Whether the screen is as the view has it. */
  shows: (view: View) => boolean;
  /** With no id once the view is deleted. */
  onSaved: (id: string) => void;
}

const SCREENS = ['reports', 'contacts'] as const;

const GROUPS = [
  { kind: 'own', label: 'My views' },
  { kind: 'shared', label: 'Shared with the team' },
] as const;

/** Saved reports and lists of their contacts: the period and filters under a name. */
export function ReportViews({ viewer, saved, settings, shows, onSaved }: Props) {
  const [, navigate] = useLocation();
  const views = useViews(viewer, SCREENS);
  const [naming, setNaming] = useState<'save' | 'rename'>();
  const changeView = useChangeView();
  const deleteView = useDeleteView();
  if (views.isLoadingError)
    return <LoadError onRetry={() => void views.refetch()}>The views could not be loaded.</LoadError>;
  const all = views.data?.all ?? [];
  // A list of contacts knows the view of the report that it is of, too.
  const current = all.find((view) => view.id === saved && toScreen(view.settings) === toScreen(settings));
  const open = (view: View) => navigate(toPath(view));
  const busy = changeView.isPending || deleteView.isPending;
  return (
    <>
      <Menu
        busy={busy}
        trigger={
          <Button variant="secondary" busy={busy}>
            {!busy && <Bookmark aria-hidden="true" />}
            <span className="max-w-48 truncate">{current?.name ?? 'Views'}</span>
          </Button>
        }
      >
        {GROUPS.map(({ kind, label }) => {
          const some = all.filter((view) => view.kind === kind);
          return (
            some.length > 0 && (
              <MenuGroup key={kind} label={label}>
                {some.map((view) => (
                  <MenuItem key={view.id} onSelect={() => open(view)}>
                    <span className="max-w-64 truncate">{view.name}</span>
                    {view.id === current?.id && <Check aria-label="current" className="ml-auto" />}
                  </MenuItem>
                ))}
              </MenuGroup>
            )
          );
        })}
        {all.length > 0 && <MenuSeparator />}
        {current && !shows(current) && (
          <>
            {current.changeable && (
              <MenuItem onSelect={() => changeView.mutate({ id: current.id, settings })}>
                <Save aria-hidden="true" />
                <span className="max-w-64 truncate">Update “{current.name}”</span>
              </MenuItem>
            )}
            <MenuItem onSelect={() => open(current)}>
              <RotateCcw aria-hidden="true" />
              Discard changes
            </MenuItem>
          </>
        )}
        <MenuItem onSelect={() => setNaming('save')}>
          <Plus aria-hidden="true" />
          Save as new view
        </MenuItem>
        {current?.changeable && (
          <>
            <MenuItem onSelect={() => setNaming('rename')}>
              <Pencil aria-hidden="true" />
              Rename
            </MenuItem>
            {maySetSharing(viewer, current) && (
              <MenuItem onSelect={() => changeView.mutate({ id: current.id, shared: !current.shared })}>
                <Users aria-hidden="true" />
                {current.shared ? 'Stop sharing' : 'Share with the team'}
              </MenuItem>
            )}
            <MenuItem onSelect={() => deleteView.mutate(current.id, { onSuccess: () => onSaved('') })}>
              <Trash2 aria-hidden="true" />
              Delete
            </MenuItem>
          </>
        )}
      </Menu>
      {naming === 'save' && (
        <ViewNameDialog
          title="Save as New View"
          description={DESCRIPTION[toScreen(settings)]}
          viewer={viewer}
          settings={settings}
          onSaved={({ id }) => onSaved(id)}
          onClose={() => setNaming(undefined)}
        />
      )}
      {naming === 'rename' && current && (
        <ViewNameDialog title="Rename View" viewer={viewer} renamed={current} onClose={() => setNaming(undefined)} />
      )}
    </>
  );
}

const DESCRIPTION: Partial<Record<ViewScreen, string>> = {
  reports: 'The period, the filters and the comparison of the reports.',
  contacts: 'The contacts of this list, in its period.',
};

const toPath = (view: View) =>
  toScreen(view.settings) === 'contacts' ? toContactsViewPath(view) : toReportViewPath(view);

const maySetSharing = (viewer: Viewer, view: View) =>
  (view.shared || canShareViews(viewer)) && view.sharedBy !== 'a deleted user';
