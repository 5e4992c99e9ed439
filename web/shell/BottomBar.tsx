import { Ellipsis, type LucideIcon, MapPin, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { useViewer } from '#web/auth/session.data.ts';
import { openAddBusiness } from '#web/commands/dialogs.ts';
import { useMayAddLeads, useTeamSettingsQuery } from '#web/settings/settings.data.ts';
import { MoreSheet } from './MoreSheet.tsx';
import { isWithin, type NavItem, navItemsFor } from './navigation.ts';

const itemClass =
  'flex min-h-14 min-w-12 flex-1 basis-0 flex-col items-center justify-center gap-1 text-xs font-medium text-muted ' +
  'aria-[current=page]:text-pine-text aria-expanded:text-ink [&>svg]:size-5 short:min-h-11 short:flex-row short:gap-2';

/** The leads on a map, from which a trip to those nearby is planned. */
const MAP: NavItem = { href: '/crm?view=map', label: 'Map', icon: MapPin };

/** The navigation of phones: what is needed on the way, in reach of the thumb. The rest is under "More". */
export function BottomBar() {
  const { role } = useViewer();
  const mayAdd = useMayAddLeads();
  const isKnown = useTeamSettingsQuery().isFetched || mayAdd;
  const [today, leads, search, ...others] = navItemsFor(role);
  if (!today || !leads || !search) return null;
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-sticky flex border-t border-line bg-surface pr-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)] print:hidden"
    >
      <BarLink item={today} />
      <BarLink item={leads} />
      {/* Nothing that changes under the thumb. */}
      {!isKnown && <span className={itemClass} />}
      {isKnown && !mayAdd && <BarLink item={search} />}
      {mayAdd && (
        <button type="button" aria-label="Add a business" className={itemClass} onClick={() => openAddBusiness()}>
          <BarItem icon={Plus}>Add</BarItem>
        </button>
      )}
      <BarLink item={MAP} />
      <More items={mayAdd ? [search, ...others] : others} />
    </nav>
  );
}

function BarLink({ item: { href, label, icon } }: { item: NavItem }) {
  const isHere = useIsHere(href);
  return (
    <Link href={href} aria-current={isHere ? 'page' : undefined} className={itemClass}>
      <BarItem icon={icon}>{label}</BarItem>
    </Link>
  );
}

/** The list of leads and their map are one screen. */
function useIsHere(href: string): boolean {
  const [path] = useLocation();
  const isMap = new URLSearchParams(useSearch()).get('view') === 'map';
  if (href === MAP.href) return path === '/crm' && isMap;
  return isWithin(path, href) && !(path === '/crm' && isMap);
}

function More({ items }: { items: NavItem[] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        className={itemClass}
        onClick={() => setOpen(true)}
      >
        <BarItem icon={Ellipsis}>More</BarItem>
      </button>
      {open && <MoreSheet items={items} onClose={() => setOpen(false)} />}
    </>
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
