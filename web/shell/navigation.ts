import {
  CalendarCheck,
  ChartColumn,
  Contact,
  type LucideIcon,
  MapIcon,
  Search,
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
  roles: readonly Role[];
}

const ITEMS: RestrictedItem[] = [
  { href: '/today', label: 'Today', icon: CalendarCheck, roles: ['user', 'manager', 'admin'] },
  { href: '/crm', label: 'Leads', icon: Contact, roles: ['user', 'manager', 'admin'] },
  { href: '/search', label: 'Search', icon: Search, roles: ['user', 'manager', 'admin'] },
  { href: '/import', label: 'Import', icon: Upload, roles: ['admin'] },
  { href: '/progress', label: 'Progress', icon: ChartColumn, roles: ['manager', 'admin'] },
  { href: '/coverage', label: 'Coverage', icon: MapIcon, roles: ['user', 'manager', 'admin'] },
  { href: '/users', label: 'Users', icon: UsersRound, roles: ['admin'] },
];

/** The screens that a role may open, the most used first. */
export const navItemsFor = (role: Role): NavItem[] => ITEMS.filter(({ roles }) => roles.includes(role));

/** Whether a path is a screen of the navigation, or one below it, such as an import. */
export const isWithin = (path: string, href: string) => path === href || path.startsWith(`${href}/`);
