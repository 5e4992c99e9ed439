import { Ellipsis, type LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useViewer } from '#web/auth/session.data.ts';
import { Popover } from '#web/kit/ui/overlays/Popover.tsx';
import { AccountSettings } from './AccountMenu.tsx';
import { HelpPopover } from './HelpPopover.tsx';
import { LogoutButton } from './LogoutButton.tsx';
import { MenuLinks } from './MenuLinks.tsx';
import { isWithin, managedItemsFor, type NavItem, navItemsFor } from './navigation.ts';

const ITEMS_IN_BAR = 4;

const itemClass =
  'flex min-h-14 min-w-12 flex-1 flex-col items-center justify-center gap-1 text-xs font-medium text-muted ' +
  'aria-[current=page]:text-pine-text data-[state=open]:text-ink [&>svg]:size-5 short:min-h-11 short:flex-row short:gap-2';

/** The navigation of phones. What does not fit is under "More". */
export function BottomBar() {
  const items = navItemsFor(useViewer().role);
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-sticky flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] print:hidden"
    >
      {items.slice(0, ITEMS_IN_BAR).map((item) => (
        <BarLink key={item.href} item={item} />
      ))}
      <More items={items.slice(ITEMS_IN_BAR)} />
    </nav>
  );
}

function BarLink({ item: { href, label, icon } }: { item: NavItem }) {
  const [path] = useLocation();
  return (
    <Link href={href} aria-current={isWithin(path, href) ? 'page' : undefined} className={itemClass}>
      <BarItem icon={icon}>{label}</BarItem>
    </Link>
  );
}

function More({ items }: { items: NavItem[] }) {
  const [open, setOpen] = useState(false);
  const managed = managedItemsFor(useViewer().role);
  const close = () => setOpen(false);
  return (
    <Popover
      label="More"
      size="w-72 p-4"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className={itemClass}>
          <BarItem icon={Ellipsis}>More</BarItem>
        </button>
      }
    >
      <div className="flex flex-col gap-4">
        {items.length > 0 && <MenuLinks items={items} onNavigate={close} />}
        {managed.length > 0 && (
          <section aria-label="Manage">
            <h2 className="text-sm font-semibold text-muted">Manage</h2>
            <MenuLinks items={managed} onNavigate={close} />
          </section>
        )}
        <AccountSettings onNavigate={close} />
        <div className="flex justify-between gap-2 border-t border-line pt-3">
          <HelpPopover />
          <LogoutButton />
        </div>
      </div>
    </Popover>
  );
}

function BarItem({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <>
      <Icon aria-hidden="true" />
      {children}
    </>
  );
}
