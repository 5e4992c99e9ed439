import {
  Ban,
  CalendarCheck,
  ChartColumn,
  Contact,
  Copy,
  Filter,
  History,
  type LucideIcon,
  MapIcon,
  MapPinned,
  ScrollText,
  Search,
  Server,
  Settings,
  Telescope,
  Upload,
  UsersRound,
} from 'lucide-react';
import type { Role } from '#contract/users/user.ts';

export interface NavItem {
  href: string;
  label: string;
  icon: LucideIcon;
}

interface RestrictedItem extends NavItem {
  roles?: readonly Role[];
}

/** At most six fit into the header; what is needed less often is under "Manage". */
const ITEMS: RestrictedItem[] = [
  { href: '/today', label: 'Today', icon: CalendarCheck },
  { href: '/crm', label: 'Leads', icon: Contact },
  { href: '/search', label: 'Search', icon: Search },
  { href: '/progress', label: 'Progress', icon: ChartColumn, roles: ['manager', 'admin'] },
  { href: '/coverage', label: 'Coverage', icon: MapIcon },
  { href: '/reports', label: 'Reports', icon: Filter },
];

const MANAGED: NavItem[] = [
  { href: '/import', label: 'Import', icon: Upload },
  { href: '/duplicates', label: 'Duplicates', icon: Copy },
  { href: '/sweeps', label: 'Sweeps', icon: Telescope },
  { href: '/territories', label: 'Territories', icon: MapPinned },
  { href: '/users', label: 'Users', icon: UsersRound },
  { href: '/objections', label: 'Do not contact', icon: Ban },
  { href: '/changes', label: 'Recent changes', icon: History },
  { href: '/audit', label: 'Audit log', icon: ScrollText },
  { href: '/settings', label: 'Settings', icon: Settings },
  { href: '/system', label: 'System', icon: Server },
];

/** The screens that a role may open, the most used first. */
export const navItemsFor = (role: Role): NavItem[] => ITEMS.filter(({ roles }) => roles?.includes(role) ?? true);

/** What a role looks after; empty where that is nothing. */
export const managedItemsFor = (role: Role): NavItem[] => (role === 'admin' ? MANAGED : []);

/** Whether a path is a screen of the navigation, or one below it, such as an import. */
export const isWithin = (path: string, href: string) => path === href || path.startsWith(`${href}/`);
