import { Bookmark, Check, Pencil, Plus, RotateCcw, Save, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import type { Viewer } from '#contract/users/user.ts';
import { canShareViews } from '#contract/views/view.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { Menu, MenuGroup, MenuItem, MenuSeparator } from '#web/kit/ui/overlays/Menu.tsx';
import { ViewNameDialog } from '#web/views/ViewNameDialog.tsx';
import { useChangeView, useDeleteView, useViews, type View } from '#web/views/views.data.ts';
import { isUnchanged, type ReportState, toSettings, toViewState } from './report-state.ts';

interface Props {
  state: ReportState;
  viewer: Viewer;
  onChange: (change: Partial<ReportState>) => void;
}

const GROUPS = [
  { kind: 'own', label: 'My views' },
  { kind: 'shared', label: 'Shared with the team' },
] as const;

/** Saved reports: their period and filters under a name. */
export function ReportViews({ state, viewer, onChange }: Props) {
  const views = useViews(viewer, 'reports');
  const [naming, setNaming] = useState<'save' | 'rename'>();
  const changeView = useChangeView();
  const deleteView = useDeleteView();
  if (views.isLoadingError)
    return <LoadError onRetry={() => void views.refetch()}>The views could not be loaded.</LoadError>;
  const all = views.data?.all ?? [];
  const current = all.find(({ id }) => id === state.saved);
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
                  <MenuItem key={view.id} onSelect={() => onChange(toViewState(view))}>
                    <span className="max-w-64 truncate">{view.name}</span>
                    {view.id === current?.id && <Check aria-label="current" className="ml-auto" />}
                  </MenuItem>
                ))}
              </MenuGroup>
            )
          );
        })}
        {all.length > 0 && <MenuSeparator />}
        {current && !isUnchanged(state, current, viewer) && (
          <>
            {current.changeable && (
              <MenuItem onSelect={() => changeView.mutate({ id: current.id, settings: toSettings(state) })}>
                <Save aria-hidden="true" />
                <span className="max-w-64 truncate">Update “{current.name}”</span>
              </MenuItem>
            )}
            <MenuItem onSelect={() => onChange(toViewState(current))}>
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
            <MenuItem onSelect={() => deleteView.mutate(current.id, { onSuccess: () => onChange({ saved: '' }) })}>
              <Trash2 aria-hidden="true" />
              Delete
            </MenuItem>
          </>
        )}
      </Menu>
      {naming === 'save' && (
        <ViewNameDialog
          title="Save as New View"
          description="The period, the filters and the comparison of the reports."
          viewer={viewer}
          settings={toSettings(state)}
          onSaved={({ id }) => onChange({ saved: id })}
          onClose={() => setNaming(undefined)}
        />
      )}
      {naming === 'rename' && current && (
        <ViewNameDialog title="Rename View" viewer={viewer} renamed={current} onClose={() => setNaming(undefined)} />
      )}
    </>
  );
}

const maySetSharing = (viewer: Viewer, view: View) =>
  (view.shared || canShareViews(viewer)) && view.sharedBy !== 'a deleted user';
