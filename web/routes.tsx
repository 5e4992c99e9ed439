import type { ComponentType, ReactNode } from 'react';
import { matchRoute, Redirect, useRouter } from 'wouter';
import { claimedLinkToken } from '#web/auth/link-token.ts';
import { SignInScreen } from '#web/auth/SignInScreen.tsx';
import type { Access } from './guards.ts';
import { type LazyComponent, lazyComponent } from './kit/lazy.tsx';
import { Loading, LoadingPage } from './kit/ui/Loading.tsx';

interface AppRoute {
  path: string;
  access: Access;
  /** Shown without the header, signed in or not. */
  alone?: boolean;
  /** Undefined where the parameters are invalid: the screen is then 404. */
  screen: (params: Record<string, string | undefined>) => ReactNode | undefined;
}

// The sign-in screen is in the main bundle: every screen shares half of its code, and one request is faster than twelve.
const Home = screen(() => import('./HomeScreen.tsx'), 'HomeScreen');
const Search = screen(() => import('#web/search/SearchScreen.tsx'), 'SearchScreen');
const Today = screen(() => import('#web/leads/today/TodayScreen.tsx'), 'TodayScreen');
const Trip = screen(() => import('#web/leads/trip/TripScreen.tsx'), 'TripScreen');
const LeadList = screen(() => import('#web/leads/list/LeadListScreen.tsx'), 'LeadListScreen');
const Lead = screen(() => import('#web/leads/profile/LeadScreen.tsx'), 'LeadScreen');
const Users = screen(() => import('#web/users/UsersScreen.tsx'), 'UsersScreen');
const Import = screen(() => import('#web/import/ImportPages.tsx'), 'ImportPages');
const Changes = screen(() => import('#web/changes/ChangesScreen.tsx'), 'ChangesScreen');
const Proposals = screen(() => import('#web/proposals/ProposalsScreen.tsx'), 'ProposalsScreen');
const Sweeps = screen(() => import('#web/sweeps/SweepPages.tsx'), 'SweepPages');
const Duplicates = screen(() => import('#web/duplicates/DuplicatesScreen.tsx'), 'DuplicatesScreen');
const Coverage = screen(() => import('#web/coverage/CoverageScreen.tsx'), 'CoverageScreen');
const Reports = screen(() => import('#web/reports/ReportsScreen.tsx'), 'ReportsScreen');
const Contacts = screen(() => import('#web/reports/activity/ContactsScreen.tsx'), 'ContactsScreen');
const Territories = screen(() => import('#web/territories/TerritoriesScreen.tsx'), 'TerritoriesScreen');
const Account = screen(() => import('#web/account/AccountScreen.tsx'), 'AccountScreen');
const PhoneHelp = screen(() => import('#web/phone/PhoneHelpScreen.tsx'), 'PhoneHelpScreen');
const Objections = screen(() => import('#web/contact-rules/ObjectionsScreen.tsx'), 'ObjectionsScreen');
const Audit = screen(() => import('#web/audit/AuditScreen.tsx'), 'AuditScreen');
const System = screen(() => import('#web/system/SystemScreen.tsx'), 'SystemScreen');
const Settings = screen(() => import('#web/settings/SettingsScreen.tsx'), 'SettingsScreen');
const TeamProgress = screen(() => import('#web/progress/TeamProgressScreen.tsx'), 'TeamProgressScreen');
const ForgotPassword = screen(
  () => import('#web/auth/ForgotPasswordScreen.tsx'),
  'ForgotPasswordScreen',
  <LoadingPage />,
);
const ResetPassword = screen(() => import('#web/auth/ResetPasswordScreen.tsx'), 'ResetPasswordScreen', <LoadingPage />);
const ConfirmEmail = screen(() => import('#web/account/LinkScreens.tsx'), 'ConfirmEmailScreen', <LoadingPage />);
const Invitation = screen(() => import('#web/account/InvitationScreen.tsx'), 'InvitationScreen', <LoadingPage />);
const ReportSignIn = screen(() => import('#web/account/LinkScreens.tsx'), 'ReportSignInScreen', <LoadingPage />);
const StopWeeklyEmail = screen(() => import('#web/account/LinkScreens.tsx'), 'StopWeeklyEmailScreen', <LoadingPage />);
const Setup = screen(() => import('#web/auth/SetupScreen.tsx'), 'SetupScreen', <LoadingPage />);

export const ROUTES: AppRoute[] = [
  { path: '/', access: 'user', screen: () => <Home /> },
  { path: '/today', access: 'user', screen: () => <Today /> },
  { path: '/trip', access: 'user', screen: () => <Trip /> },
  { path: '/changes', access: 'user', screen: () => <Changes /> },
  { path: '/proposals', access: 'user', screen: () => <Proposals /> },
  { path: '/account', access: 'user', screen: () => <Account /> },
  { path: '/help/phone', access: 'user', screen: () => <PhoneHelp /> },
  { path: '/reminders', access: 'user', screen: () => <Redirect to="/account#reminders" replace /> },
  { path: '/search', access: 'user', screen: () => <Search /> },
  { path: '/crm', access: 'user', screen: () => <LeadList /> },
  { path: '/coverage', access: 'user', screen: () => <Coverage /> },
  { path: '/reports', access: 'user', screen: () => <Reports /> },
  { path: '/reports/contacts', access: 'user', screen: () => <Contacts /> },
  { path: '/territories', access: 'user', screen: () => <Territories /> },
  // The server decides whether a parameter names a lead.
  { path: '/business/:id', access: 'user', screen: ({ id }) => <Lead leadRef={{ id: Number(id) }} /> },
  { path: '/business/uuid/:uuid', access: 'user', screen: ({ uuid = '' }) => <Lead leadRef={{ uuid }} /> },
  { path: '/users', access: 'admin', screen: () => <Users /> },
  { path: '/import', access: 'admin', screen: () => <Import /> },
  { path: '/import-businesses', access: 'admin', screen: () => <Import /> },
  { path: '/import/:id', access: 'admin', screen: ({ id }) => <Import id={id} /> },
  { path: '/import/:id/corrections', access: 'admin', screen: ({ id }) => <Import id={id} part="corrections" /> },
  { path: '/sweeps', access: 'admin', screen: () => <Sweeps /> },
  { path: '/sweeps/:id', access: 'admin', screen: ({ id }) => <Sweeps id={id} /> },
  { path: '/duplicates', access: 'admin', screen: () => <Duplicates /> },
  { path: '/objections', access: 'admin', screen: () => <Objections /> },
  { path: '/audit', access: 'admin', screen: () => <Audit /> },
  { path: '/system', access: 'admin', screen: () => <System /> },
  { path: '/settings', access: 'admin', screen: () => <Settings /> },
  { path: '/progress', access: 'manager', screen: () => <TeamProgress /> },
  { path: '/auth', access: 'signed-out', screen: () => <SignInScreen /> },
  { path: '/forgot-password', access: 'public', alone: true, screen: () => <ForgotPassword /> },
  {
    path: '/reset-password',
    access: 'public',
    alone: true,
    screen: () => <ResetPassword token={claimedLinkToken()} />,
  },
  {
    path: '/confirm-email',
    access: 'public',
    alone: true,
    screen: () => <ConfirmEmail token={claimedLinkToken()} />,
  },
  {
    path: '/report-sign-in',
    access: 'public',
    alone: true,
    screen: () => <ReportSignIn token={claimedLinkToken()} />,
  },
  {
    path: '/stop-weekly-email',
    access: 'public',
    alone: true,
    screen: () => <StopWeeklyEmail token={claimedLinkToken()} />,
  },
  { path: '/invitation', access: 'public', alone: true, screen: () => <Invitation token={claimedLinkToken()} /> },
  { path: '/setup', access: 'setup', screen: () => <Setup /> },
];

/** The route of a path with its screen; an unknown path is public and has none. */
export function useRoute(path: string): { access: Access; alone?: boolean; screen: ReactNode | undefined } {
  const { parser } = useRouter();
  for (const { path: pattern, access, alone = false, screen } of ROUTES) {
    const [matches, params] = matchRoute(parser, pattern, path);
    if (matches) return { access, alone, screen: screen(params) };
  }
  return { access: 'public', screen: undefined };
}

/** A screen that is loaded when it is first opened. */
function screen<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  fallback = <Loading />,
): LazyComponent<Props> {
  return lazyComponent(async () => (await load())[name], fallback);
}
