import { Redirect } from 'wouter';
import { z } from 'zod';
import type { StartScreen } from '#contract/auth/settings.calls.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useSettings } from '#web/auth/settings.data.ts';
import { FirstSteps } from '#web/first-steps/FirstSteps.tsx';
import { LeadListScreen } from '#web/leads/list/LeadListScreen.tsx';
import { TodayLine } from '#web/leads/today/TodayLine.tsx';
import { lazyComponent } from './kit/lazy.tsx';
import { useUrlState } from './kit/navigation/url-state.ts';
import { Loading } from './kit/ui/Loading.tsx';
import { Tabs } from './kit/ui/Tabs.tsx';

const Search = lazyComponent(async () => (await import('#web/search/SearchScreen.tsx')).SearchScreen, <Loading />);

const ADMIN_TABS = [
  {
    value: 'search',
    label: 'Search Businesses',
    content: <Search />,
  },
  { value: 'crm', label: 'CRM Dashboard', content: <LeadsWithToday /> },
];

const START: Record<StartScreen, string> = { today: '/today', leads: '/crm', search: '/search' };

/** Administrators start with the search, everyone else with their leads, unless they chose another screen. */
export function HomeScreen() {
  const { role } = useViewer();
  const { data: settings, isError } = useSettings();
  if (!settings && !isError) return <Loading />;
  if (settings?.startAt) return <Redirect to={START[settings.startAt]} replace />;
  return role === 'admin' ? <AdminHome /> : <LeadsWithToday />;
}

function LeadsWithToday() {
  return (
    <>
      <TodayLine />
      <LeadListScreen />
    </>
  );
}

const FIRST_TAB = { tab: 'search' };
const params = z.object({ tab: z.enum(['search', 'crm']).catch('search') });

/** The open tab is in the URL, so that Back restores it. */
function AdminHome() {
  const [{ tab }, change] = useUrlState<typeof FIRST_TAB>(params, FIRST_TAB);
  const open = (next: string) => change(() => ({ tab: next }), { replace: true, alone: true });
  return (
    <>
      <FirstSteps />
      <Tabs label="Home" tabs={ADMIN_TABS} value={tab} onValueChange={open} />
    </>
  );
}
