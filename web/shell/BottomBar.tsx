import { Ellipsis, type LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useViewer } from '#web/auth/session.data.ts';
import { Popover } from '#web/kit/ui/overlays/Popover.tsx';
import { AccountSettings } from './AccountMenu.tsx';
import { HelpPopover } from './HelpPopover.tsx';
import { LogoutButton } from './LogoutButton.tsx';
import { isWithin, type NavItem, navItemsFor } from './navigation.ts';

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
      className="fixed inset-x-0 bottom-0 z-sticky flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)]"
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
  const [path] = useLocation();
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
        {items.length > 0 && (
          <ul className="-mx-2 flex flex-col">
            {items.map(({ href, label, icon: Icon }) => (
              <li key={href}>
                <Link
                  href={href}
                  aria-current={isWithin(path, href) ? 'page' : undefined}
                  onClick={() => setOpen(false)}
                  className="flex min-h-12 items-center gap-3 rounded-md px-2 text-base font-medium hover:bg-sunken aria-[current=page]:text-pine-text"
                >
                  <Icon aria-hidden="true" className="size-5" />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        )}
        <AccountSettings onNavigate={() => setOpen(false)} />
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
