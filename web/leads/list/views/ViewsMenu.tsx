import { Bookmark, Check, Plus, RotateCcw, Save, Settings2 } from 'lucide-react';
import { useState } from 'react';
import type { Viewer } from '#contract/users/user.ts';
import { MAX_VIEW_NAME } from '#contract/views/view.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Menu, MenuGroup, MenuItem, MenuSeparator } from '#web/kit/ui/overlays/Menu.tsx';
import type { ListState } from '#web/leads/list/list-state.ts';
import type { ChangeList } from '#web/leads/list/use-list-state.ts';
import { ViewNameDialog } from '#web/views/ViewNameDialog.tsx';
import { useChangeView, type View, type Views } from '#web/views/views.data.ts';
import { toSettings, toUpdatedSettings, toViewState } from './list-view.ts';
import { ManageViewsDialog } from './ManageViewsDialog.tsx';

interface Props {
  viewer: Viewer;
  views: Views;
  current: View | undefined;
  /** The list differs from the current view. */
  modified: boolean;
  state: ListState;
  /** Of a new view. */
  suggestedName?: string | undefined;
  onChange: ChangeList;
}

const GROUPS = [
  { kind: 'built-in', label: 'Built in' },
  { kind: 'own', label: 'My views' },
  { kind: 'shared', label: 'Shared with the team' },
] as const;

export function ViewsMenu({ viewer, views, current, modified, state, suggestedName = '', onChange }: Props) {
  const [dialog, setDialog] = useState<'save' | 'manage'>();
  const changeView = useChangeView();
  const groups = GROUPS.map((group) => ({ ...group, views: views.all.filter(({ kind }) => kind === group.kind) }));
  return (
    <>
      <Menu
        busy={changeView.isPending}
        trigger={
          <Button variant="secondary" busy={changeView.isPending}>
            {!changeView.isPending && <Bookmark aria-hidden="true" />}
            <span className="max-md:sr-only">Views</span>
          </Button>
        }
      >
        {groups.map(
          ({ kind, label, views }) =>
            views.length > 0 && (
              <MenuGroup key={kind} label={label}>
                {views.map((view) => (
                  <MenuItem key={view.id} onSelect={() => onChange(toViewState(view))}>
                    <span className="max-w-64 truncate">{view.name}</span>
                    {view.id === current?.id && <Check aria-label="current" className="ml-auto" />}
                  </MenuItem>
                ))}
              </MenuGroup>
            ),
        )}
        <MenuSeparator />
        {current?.changeable && modified && (
          <MenuItem
            onSelect={() => changeView.mutate({ id: current.id, settings: toUpdatedSettings(state, current, viewer) })}
          >
            <Save aria-hidden="true" />
            <span className="max-w-64 truncate">Update “{current.name}”</span>
          </MenuItem>
        )}
        {current && modified && (
          <MenuItem onSelect={() => onChange(toViewState(current))}>
            <RotateCcw aria-hidden="true" />
            Discard changes
          </MenuItem>
        )}
        <MenuItem onSelect={() => setDialog('save')}>
          <Plus aria-hidden="true" />
          Save as new view
        </MenuItem>
        <MenuItem onSelect={() => setDialog('manage')}>
          <Settings2 aria-hidden="true" />
          Manage views
        </MenuItem>
      </Menu>
      {dialog === 'save' && (
        <ViewNameDialog
          title="Save as New View"
          viewer={viewer}
          settings={toSettings(state)}
          suggestedName={suggestedName.slice(0, MAX_VIEW_NAME)}
          onSaved={({ id }) => onChange({ saved: id }, { replace: true })}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'manage' && <ManageViewsDialog viewer={viewer} views={views} onClose={() => setDialog(undefined)} />}
    </>
  );
}
