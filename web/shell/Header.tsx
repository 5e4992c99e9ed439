import { CircleAlert, RotateCw, UsersRound } from 'lucide-react';
import type { ComponentType } from 'react';
import { Link, useLocation } from 'wouter';
import { useViewer } from '#web/auth/session.data.ts';
import { useMediaQuery, WIDE_SCREEN } from '#web/kit/style/media-query.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import { LogoMark } from '#web/kit/ui/Logo.tsx';
import { Tooltip } from '#web/kit/ui/overlays/Tooltip.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import { FindButton } from './FindButton.tsx';
import { HelpPopover } from './HelpPopover.tsx';
import { LazyPart } from './LazyPart.tsx';
import { LogoutButton } from './LogoutButton.tsx';
import { ManageMenu } from './ManageMenu.tsx';
import { isWithin, navItemsFor } from './navigation.ts';

interface Props {
  loadMeters: () => Promise<ComponentType>;
  loadBell: () => Promise<ComponentType>;
  /** Nothing is shown while nothing waits. */
  loadOutbox: () => Promise<ComponentType>;
}

/** One row. The meters are part of it on large screens, and a second slim row on others. Phones navigate by the bottom bar. */
export function Header({ loadMeters, loadBell, loadOutbox }: Props) {
  const wide = useMediaQuery(WIDE_SCREEN);
  return (
    <header className="border-b border-line bg-surface print:hidden">
      <div aria-hidden="true" className="awning h-1" />
      <div className="mx-auto flex max-w-page flex-wrap items-center gap-x-2 px-4 sm:px-6">
        <Link href="/" className="inline-flex h-12 shrink-0 items-center gap-2 rounded-md">
          <LogoMark className="size-8" />
          <span className="text-lg font-bold tracking-tight wide:sr-only">Highstreet</span>
        </Link>
        {wide && (
          <div className="flex items-center">
            <MainNav />
            <UsersLink />
            <ManageMenu />
          </div>
        )}
        {/* Bell and meters have a fixed size, so that nothing moves when they are loaded. */}
        <div className="flex h-9 items-center gap-4 max-xl:order-last max-xl:mb-1 max-xl:w-full xl:ml-auto xl:w-64 min-[100rem]:w-76 short:sm:order-none short:sm:mb-0 short:sm:ml-auto short:sm:w-72">
          <LazyPart load={loadMeters} fallback={(retry) => <MetersFailed onRetry={retry} />} />
        </div>
        <div className="flex items-center gap-1 max-xl:ml-auto">
          <LazyPart load={loadOutbox} fallback={() => null} />
          <FindButton />
          <div className="grid size-11 place-items-center wide:size-8">
            <LazyPart load={loadBell} fallback={(retry) => <BellFailed onRetry={retry} />} />
          </div>
          {wide && (
            <>
              <AccountMenu />
              <HelpPopover />
              <LogoutButton />
            </>
          )}
        </div>
      </div>
    </header>
  );
}

function MainNav() {
  const { role } = useViewer();
  const [path] = useLocation();
  return (
    <nav aria-label="Main" className="flex">
      {navItemsFor(role).map(({ href, label }) => (
        <Link
          key={href}
          href={href}
          aria-current={isWithin(path, href) ? 'page' : undefined}
          className="inline-flex min-h-9 items-center rounded-md px-2 text-sm font-medium hover:bg-sunken aria-[current=page]:bg-pine-soft aria-[current=page]:text-pine-text"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** In sight of administrators, beside the links of everyone, where there is room. */
function UsersLink() {
  const { role } = useViewer();
  const [path] = useLocation();
  if (role !== 'admin') return null;
  return (
    <Tooltip content="Users">
      <Link
        href="/users"
        aria-label="Users"
        aria-current={isWithin(path, '/users') ? 'page' : undefined}
        className="hidden size-9 place-items-center rounded-md hover:bg-sunken lg:grid aria-[current=page]:bg-pine-soft aria-[current=page]:text-pine-text"
      >
        <UsersRound aria-hidden="true" className="size-4.5" />
      </Link>
    </Tooltip>
  );
}

function BellFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <IconButton
      icon={RotateCw}
      tone="danger"
      label="Notifications could not be loaded. Try again"
      size="sm"
      onClick={onRetry}
    />
  );
}

function MetersFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="status" className="flex items-center gap-1 text-xs text-danger-text">
      <CircleAlert aria-hidden="true" className="size-4 shrink-0" />
      Unable to load progress data
      <Button variant="ghost" size="sm" onClick={onRetry}>
        Try Again
      </Button>
    </div>
  );
}
