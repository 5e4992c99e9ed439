import { useRef } from 'react';
import { useViewer } from '#web/auth/session.data.ts';
import { Sheet } from '#web/kit/ui/overlays/Sheet.tsx';
import { AccountSettings } from './AccountMenu.tsx';
import { HelpPopover } from './HelpPopover.tsx';
import { LogoutButton } from './LogoutButton.tsx';
import { MenuLinks } from './MenuLinks.tsx';
import { managedItemsFor, type NavItem } from './navigation.ts';

/** The screens that have no room in the bottom bar, the account and the settings of this browser. */
export function MoreSheet({ items, onClose }: { items: NavItem[]; onClose: () => void }) {
  const { role } = useViewer();
  const managed = managedItemsFor(role);
  const content = useRef<HTMLDivElement>(null);
  return (
    <Sheet title="More" onClose={onClose} initialFocus={() => content.current?.querySelector('a')}>
      <div ref={content} className="flex flex-col gap-4">
        <MenuLinks items={items} onNavigate={onClose} />
        {managed.length > 0 && (
          <section aria-label="Manage">
            <h3 className="text-sm font-semibold text-muted">Manage</h3>
            <MenuLinks items={managed} onNavigate={onClose} />
          </section>
        )}
        <AccountSettings onNavigate={onClose} />
        <div className="flex justify-between gap-2 border-t border-line pt-3">
          <HelpPopover inDialog onNavigate={onClose} />
          <LogoutButton />
        </div>
      </div>
    </Sheet>
  );
}
