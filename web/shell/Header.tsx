import { TrendingUp, Users } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { Link, useLocation } from 'wouter';
import { useViewer } from '#web/auth/session.data.ts';
import { LogoMark } from '#web/kit/ui/Logo.tsx';
import { ThemeSwitch } from '#web/kit/ui/ThemeSwitch.tsx';
import { HelpPopover } from './HelpPopover.tsx';
import { LogoutButton } from './LogoutButton.tsx';
import { ProgressMeterSlot } from './ProgressMeterSlot.tsx';

/** One line on large screens. On small ones two: who you are, then what you can do; nothing hides behind a menu. */
export function Header({ meters, bell }: { meters?: ReactNode; bell?: ReactNode }) {
  const viewer = useViewer();
  return (
    <header className="border-b border-line bg-surface">
      <div aria-hidden="true" className="awning h-1" />
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 sm:px-6 lg:gap-x-4">
        <Link href="/" className="inline-flex items-center gap-2.5 rounded-md">
          <LogoMark className="size-8" />
          <span className="text-lg font-bold tracking-tight max-lg:sr-only">Highstreet</span>
        </Link>
        {viewer.role !== 'user' && <MainLinks admin={viewer.role === 'admin'} />}
        <ProgressMeterSlot>{meters}</ProgressMeterSlot>
        {/* On small screens wide enough to push what follows the theme to the second line. */}
        <p className="truncate text-sm font-medium max-lg:order-1 max-lg:flex-1 max-lg:basis-[calc(100%-11rem)] lg:ml-auto lg:max-w-56 xl:max-w-40">
          {viewer.fullName || viewer.username}
        </p>
        <div className="flex max-lg:order-2">
          <ThemeSwitch />
        </div>
        <div className="flex gap-1 max-lg:order-4 max-lg:-mr-3 max-lg:ml-auto">
          {/* Its place is kept, so that nothing jumps when it comes. */}
          <div className="grid size-9 shrink-0 place-items-center sm:size-8">
            <Suspense fallback={null}>{bell}</Suspense>
          </div>
          <HelpPopover />
          <LogoutButton />
        </div>
      </div>
    </header>
  );
}

function MainLinks({ admin }: { admin: boolean }) {
  return (
    <nav aria-label="Main" className="flex gap-1 max-lg:order-3 max-lg:-ml-3">
      <NavLink href="/progress" icon={<TrendingUp aria-hidden="true" className="size-4.5 max-sm:hidden" />}>
        Progress
      </NavLink>
      {admin && (
        <NavLink href="/users" icon={<Users aria-hidden="true" className="size-4.5 max-sm:hidden" />}>
          Users
        </NavLink>
      )}
    </nav>
  );
}

function NavLink({ href, icon, children }: { href: string; icon: ReactNode; children: string }) {
  const [path] = useLocation();
  return (
    <Link
      href={href}
      aria-current={path === href ? 'page' : undefined}
      className="inline-flex min-h-9 items-center gap-2 rounded-md px-3 text-sm font-medium hover:bg-sunken aria-[current=page]:bg-pine-soft aria-[current=page]:text-pine-text"
    >
      {icon}
      {children}
    </Link>
  );
}
