import { ArrowDown, ArrowUp, Copy, Ellipsis, Home, Link2, Pencil, Pin, PinOff, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import type { Viewer } from '#contract/users/user.ts';
import { canShareViews, MAX_PINNED } from '#contract/views/view.ts';
import { toast } from '#web/kit/toasts.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import { Dialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '#web/kit/ui/overlays/Menu.tsx';
import { ViewNameDialog } from '#web/views/ViewNameDialog.tsx';
import { useChangeView, useDeleteView, useViewPreferences, type View, type Views } from '#web/views/views.data.ts';

interface Props {
  viewer: Viewer;
  views: Views;
  onClose: () => void;
}

interface Naming {
  view: View;
  action: 'rename' | 'duplicate';
}

/** Pins, reorders, renames, duplicates, shares and deletes views. The pinned ones come first, in the order of their tabs. */
export function ManageViewsDialog({ viewer, views, onClose }: Props) {
  const preferences = useViewPreferences(views);
  const [naming, setNaming] = useState<Naming>();
  const pinnedIds = views.pinned.map(({ id }) => id);
  const ordered = [...views.pinned, ...views.all.filter(({ id }) => !pinnedIds.includes(id))];
  const full = views.pinned.length >= MAX_PINNED;

  return (
    <Dialog
      open
      title="Manage Views"
      description="Pinned views are tabs above the list, in this order."
      onClose={onClose}
    >
      <ul className="divide-y divide-line">
        {ordered.map((view) => {
          const place = pinnedIds.indexOf(view.id);
          const pinned = place >= 0;
          return (
            <li key={view.id} className="flex items-center gap-1 py-1">
              <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1 text-sm">
                <span className="font-medium [overflow-wrap:anywhere]">{view.name}</span>
                <ViewBadges view={view} isDefault={view.id === views.defaultView?.id} />
              </span>
              {pinned && (
                <>
                  <IconButton
                    icon={ArrowUp}
                    size="sm"
                    label={`Move ${view.name} up`}
                    disabledReason={place === 0 ? 'This is the first tab' : undefined}
                    onClick={() => preferences.movePinned(view.id, -1)}
                  />
                  <IconButton
                    icon={ArrowDown}
                    size="sm"
                    label={`Move ${view.name} down`}
                    disabledReason={place === pinnedIds.length - 1 ? 'This is the last tab' : undefined}
                    onClick={() => preferences.movePinned(view.id, 1)}
                  />
                </>
              )}
              <IconButton
                icon={pinned ? PinOff : Pin}
                size="sm"
                label={`${pinned ? 'Unpin' : 'Pin'} ${view.name}`}
                disabledReason={!pinned && full ? `At most ${MAX_PINNED} views can be pinned` : undefined}
                onClick={() => preferences.togglePinned(view.id)}
              />
              <ViewActions
                viewer={viewer}
                view={view}
                isDefault={view.id === views.defaultView?.id}
                onDefault={preferences.setDefault}
                onName={(action) => setNaming({ view, action })}
              />
            </li>
          );
        })}
      </ul>
      {naming && <NameDialog viewer={viewer} {...naming} onClose={() => setNaming(undefined)} />}
    </Dialog>
  );
}

interface NameProps extends Naming {
  viewer: Viewer;
  onClose: () => void;
}

function NameDialog({ view, action, ...props }: NameProps) {
  return action === 'rename' ? (
    <ViewNameDialog title="Rename View" renamed={view} {...props} />
  ) : (
    <ViewNameDialog title="Duplicate View" settings={view.settings} suggestedName={`${view.name} copy`} {...props} />
  );
}

function ViewBadges({ view, isDefault }: { view: View; isDefault: boolean }) {
  return (
    <>
      {view.kind === 'built-in' && <Badge>Built in</Badge>}
      {view.kind === 'own' && view.shared && <Badge tone="pine">Shared</Badge>}
      {view.sharedBy && <Badge tone="pine">{`Shared by ${view.sharedBy}`}</Badge>}
      {isDefault && <Badge tone="good">Default</Badge>}
    </>
  );
}

interface ActionsProps {
  viewer: Viewer;
  view: View;
  isDefault: boolean;
  onDefault: (id: string | null) => void;
  onName: (action: Naming['action']) => void;
}

function ViewActions({ viewer, view, isDefault, onDefault, onName }: ActionsProps) {
  const changeView = useChangeView();
  const deleteView = useDeleteView();
  const busy = changeView.isPending || deleteView.isPending;
  const maySetSharing = view.changeable && (view.shared || canShareViews(viewer)) && view.sharedBy !== 'a deleted user';
  return (
    <Menu busy={busy} trigger={<IconButton icon={Ellipsis} size="sm" label={`Actions for ${view.name}`} busy={busy} />}>
      {view.changeable && (
        <MenuItem onSelect={() => onName('rename')}>
          <Pencil aria-hidden="true" />
          Rename
        </MenuItem>
      )}
      <MenuItem onSelect={() => onName('duplicate')}>
        <Copy aria-hidden="true" />
        Duplicate
      </MenuItem>
      {maySetSharing && (
        <MenuItem onSelect={() => changeView.mutate({ id: view.id, shared: !view.shared })}>
          <Users aria-hidden="true" />
          {view.shared ? 'Stop sharing' : 'Share with the team'}
        </MenuItem>
      )}
      <MenuItem onSelect={() => onDefault(isDefault ? null : view.id)}>
        <Home aria-hidden="true" />
        {isDefault ? 'Do not open first' : 'Open first after signing in'}
      </MenuItem>
      <MenuItem onSelect={() => void copyLink(view)}>
        <Link2 aria-hidden="true" />
        Copy link
      </MenuItem>
      {view.changeable && (
        <>
          <MenuSeparator />
          <MenuItem tone="danger" onSelect={() => deleteView.mutate(view.id)}>
            <Trash2 aria-hidden="true" />
            Delete
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

async function copyLink({ id }: View) {
  const link = `${window.location.origin}/crm?saved=${id}`;
  try {
    await navigator.clipboard.writeText(link);
    toast({ title: 'Link copied' });
  } catch {
    // Browsers allow copying only on secure pages.
    toast({ title: 'The link could not be copied', description: link, tone: 'destructive' });
  }
}
