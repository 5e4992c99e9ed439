import { CircleAlert, RotateCw } from 'lucide-react';
import type { ComponentType } from 'react';
import { Link, useLocation } from 'wouter';
import type { Role } from '#contract/users/user.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import { LogoMark } from '#web/kit/ui/Logo.tsx';
import { ThemeSwitch } from '#web/kit/ui/ThemeSwitch.tsx';
import { HelpPopover } from './HelpPopover.tsx';
import { LazyPart } from './LazyPart.tsx';
import { LogoutButton } from './LogoutButton.tsx';

interface Props {
  loadMeters: () => Promise<ComponentType>;
  loadBell: () => Promise<ComponentType>;
}

/**
 * One line on large screens. On small ones two: where you can go, then who you are and what you can set; nothing hides
 * behind a menu. The meters stand in the line on large screens and under it on small ones.
 */
export function Header({ loadMeters, loadBell }: Props) {
  const viewer = useViewer();
  return (
    <header className="border-b border-line bg-surface">
      <div aria-hidden="true" className="awning h-1" />
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 sm:px-6">
        <div className="flex w-full items-center gap-1 sm:gap-4 lg:contents">
          <Link href="/" className="inline-flex shrink-0 items-center gap-2.5 rounded-md">
            <LogoMark className="size-8" />
            <span className="text-lg font-bold tracking-tight max-lg:sr-only">Highstreet</span>
          </Link>
          <MainLinks role={viewer.role} />
          {/* The places of bell and meters are kept, so that nothing jumps when they come. */}
          <div className="grid size-9 shrink-0 place-items-center max-xl:ml-auto sm:size-8 lg:order-1">
            <LazyPart load={loadBell} fallback={(retry) => <BellFailed onRetry={retry} />} />
          </div>
        </div>
        <div className="flex min-h-13 items-center gap-4 max-xl:order-last max-xl:box-content max-xl:w-full max-xl:border-t max-xl:border-line max-xl:pt-2 max-xl:pb-1 sm:gap-6 xl:min-w-64 xl:flex-1">
          <LazyPart load={loadMeters} fallback={(retry) => <MetersFailed onRetry={retry} />} />
        </div>
        <div className="flex w-full items-center gap-2 lg:contents">
          <p className="min-w-0 flex-1 truncate text-sm font-medium lg:order-1 lg:max-w-32 lg:flex-none">
            {viewer.fullName || viewer.username}
          </p>
          <div className="flex shrink-0 lg:order-1">
            <ThemeSwitch />
          </div>
          <div className="flex shrink-0 max-lg:-mr-3 lg:order-1">
            <HelpPopover />
            <LogoutButton />
          </div>
        </div>
      </div>
    </header>
  );
}

function MainLinks({ role }: { role: Role }) {
  return (
    <nav aria-label="Main" className="flex sm:gap-1">
      <NavLink href="/crm">Leads</NavLink>
      <NavLink href="/search">Search</NavLink>
      {role !== 'user' && <NavLink href="/progress">Progress</NavLink>}
      {role === 'admin' && <NavLink href="/users">Users</NavLink>}
    </nav>
  );
}

function NavLink({ href, children }: { href: string; children: string }) {
  const [path] = useLocation();
  return (
    <Link
      href={href}
      aria-current={path === href ? 'page' : undefined}
      className="inline-flex min-h-9 items-center rounded-md px-2 text-sm font-medium hover:bg-sunken aria-[current=page]:bg-pine-soft aria-[current=page]:text-pine-text sm:px-3"
    >
      {children}
    </Link>
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
    <div role="status" className="flex items-center gap-1.5 text-xs text-danger-text">
      <CircleAlert aria-hidden="true" className="size-3.5 shrink-0" />
      Unable to load progress data
      <Button variant="ghost" size="sm" onClick={onRetry}>
        Try Again
      </Button>
    </div>
  );
}
