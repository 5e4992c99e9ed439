import { useState } from 'react';
import { useLocation } from 'wouter';
import { goToOrigin, readOrigin } from '#web/kit/navigation/origin.ts';

/** The screens that a lead is opened from, as the way back names them. */
const NAME: Record<string, string> = {
  today: 'Today',
  search: 'Search',
  coverage: 'Coverage',
  reports: 'Reports',
  territories: 'Territories',
  duplicates: 'Duplicates',
  changes: 'Recent Changes',
  progress: 'Progress',
  sweeps: 'Sweeps',
  import: 'Import',
  users: 'Users',
  audit: 'Audit Log',
};

/** The way back to where the lead was opened: with its filters, scroll position and focus. Else to the list. */
export function useBack() {
  const [, navigate] = useLocation();
  const [name] = useState(() => nameOrigin(readOrigin()?.path ?? ''));
  const goBack = () => {
    if (!name || !goToOrigin()) navigate('/crm');
  };
  return { label: `Back to ${name ?? 'CRM'}`, goBack };
}

/** Undefined for a screen that one does not return to, such as the home screen. */
export function nameOrigin(path: string): string | undefined {
  const { pathname, searchParams } = new URL(path, 'https://highstreet.invalid');
  const [, screen = ''] = pathname.split('/');
  if (screen === 'crm') return searchParams.get('view') === 'board' ? 'Board' : 'CRM';
  return NAME[screen];
}
