import { type ComponentType, lazy, type ReactNode } from 'react';
import { matchRoute, useRouter } from 'wouter';
import { claimedResetToken } from '#web/auth/reset-token.ts';
import type { Access } from './guards.ts';

interface AppRoute {
  path: string;
  access: Access;
  /** Stands alone, without the header, whoever is signed in. */
  alone?: boolean;
  /** Undefined where the address names nothing that could exist. */
  screen: (params: Record<string, string | undefined>) => ReactNode | undefined;
}

const Home = screen(() => import('./HomeScreen.tsx'), 'HomeScreen');
const Search = screen(() => import('#web/search/SearchScreen.tsx'), 'SearchScreen');
const LeadList = screen(() => import('#web/leads/list/LeadListScreen.tsx'), 'LeadListScreen');
const Lead = screen(() => import('#web/leads/profile/LeadScreen.tsx'), 'LeadScreen');
const Users = screen(() => import('#web/users/UsersScreen.tsx'), 'UsersScreen');
const Import = screen(() => import('#web/import/ImportScreen.tsx'), 'ImportScreen');
const TeamProgress = screen(() => import('#web/progress/TeamProgressScreen.tsx'), 'TeamProgressScreen');
const loadSignIn = () => import('#web/auth/SignInScreen.tsx');
const SignIn = screen(loadSignIn, 'SignInScreen');
const ForgotPassword = screen(() => import('#web/auth/ForgotPasswordScreen.tsx'), 'ForgotPasswordScreen');
const ResetPassword = screen(() => import('#web/auth/ResetPasswordScreen.tsx'), 'ResetPasswordScreen');
const Setup = screen(() => import('#web/auth/SetupScreen.tsx'), 'SetupScreen');

export const ROUTES: AppRoute[] = [
  { path: '/', access: 'user', screen: () => <Home /> },
  { path: '/search', access: 'user', screen: () => <Search /> },
  { path: '/crm', access: 'user', screen: () => <LeadList /> },
  // Whatever stands there, the server says whether it names a lead.
  { path: '/business/:id', access: 'user', screen: ({ id }) => <Lead lead={{ id: Number(id) }} /> },
  { path: '/business/uuid/:uuid', access: 'user', screen: ({ uuid = '' }) => <Lead lead={{ uuid }} /> },
  { path: '/users', access: 'admin', screen: () => <Users /> },
  { path: '/import', access: 'admin', screen: () => <Import /> },
  { path: '/import-businesses', access: 'admin', screen: () => <Import /> },
  { path: '/progress', access: 'manager', screen: () => <TeamProgress /> },
  { path: '/auth', access: 'signed-out', screen: () => <SignIn /> },
  { path: '/forgot-password', access: 'public', alone: true, screen: () => <ForgotPassword /> },
  {
    path: '/reset-password',
    access: 'public',
    alone: true,
    screen: () => <ResetPassword token={claimedResetToken()} />,
  },
  { path: '/setup', access: 'setup', screen: () => <Setup /> },
];

/** The route of a path with its screen; any other path is public, and has none. */
export function useRoute(path: string): { access: Access; alone?: boolean; screen: ReactNode | undefined } {
  const { parser } = useRouter();
  for (const { path: pattern, access, alone = false, screen } of ROUTES) {
    const [matches, params] = matchRoute(parser, pattern, path);
    if (matches) return { access, alone, screen: screen(params) };
  }
  return { access: 'public', screen: undefined };
}

/** Fetches the sign-in screen while it is still being asked who is there; for the others it pays to know first. */
export function preloadScreen(path: string) {
  // Failing is no loss: the screen is asked for again when it is shown.
  if (path === '/auth') loadSignIn().catch(() => {});
}

/** A screen that is fetched when it is first opened. */
function screen<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): ComponentType<Props> {
  return lazy(async () => ({ default: (await load())[name] })) as unknown as ComponentType<Props>;
}
