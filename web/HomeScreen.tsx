import { useViewer } from '#web/auth/session.data.ts';
import { LeadListScreen } from '#web/leads/LeadListScreen.tsx';
import { SearchScreen } from '#web/search/SearchScreen.tsx';
import { Tabs } from './kit/ui/Tabs.tsx';

const ADMIN_TABS = [
  { value: 'search', label: 'Search Businesses', content: <SearchScreen /> },
  { value: 'crm', label: 'CRM Dashboard', content: <LeadListScreen /> },
];

/** Administrators start with the search, everyone else with their leads. */
export function HomeScreen() {
  const { role } = useViewer();
  return role === 'admin' ? <Tabs label="Home" tabs={ADMIN_TABS} /> : <LeadListScreen />;
}
