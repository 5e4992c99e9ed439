import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, Info, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';

type Tone = 'info' | 'good' | 'danger';

const STYLE: Record<Tone, { className: string; icon: LucideIcon }> = {
  info: { className: 'bg-info-soft text-info-text', icon: Info },
  good: { className: 'bg-good-soft text-good-text', icon: CircleCheck },
  danger: { className: 'bg-danger-soft text-danger-text', icon: CircleAlert },
};

/** A message in the flow of the screen; an error is an alert. */
export function Notice({ tone = 'info', children }: { tone?: Tone; children: ReactNode }) {
  const { className, icon: Icon } = STYLE[tone];
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={clsx('flex items-start gap-2 rounded-md px-4 py-3 text-sm', className)}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}

/** In the place of controls that could not be loaded. */
export function LoadError({ children, onRetry }: { children: string; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-danger-text">
      {children}
      <Button variant="secondary" size="sm" onClick={onRetry}>
        Try Again
      </Button>
    </div>
  );
}

interface StateProps {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}

interface EmptyStateProps extends StateProps {
  icon?: LucideIcon;
}

/** Shown where a list is empty. */
export function EmptyState({ icon: Icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 rounded-lg border border-dashed border-control px-6 py-12 text-center">
      {Icon && <Icon aria-hidden="true" className="size-8 text-muted" />}
      <h2 className="text-lg font-semibold">{title}</h2>
      {children && <div className="max-w-prose text-sm text-balance text-muted">{children}</div>}
      {actions && <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}

interface ErrorStateProps extends StateProps {
  onRetry?: () => void;
  /** h1 where the screen has no other heading. */
  heading?: 'h1' | 'h2';
}

/** Shown where content could not be loaded. */
export function ErrorState({ title, children, onRetry, actions, heading: Heading = 'h2' }: ErrorStateProps) {
  return (
    <div role="alert" className="flex flex-col items-center gap-2 rounded-lg bg-danger-soft px-6 py-12 text-center">
      <CircleAlert aria-hidden="true" className="size-8 text-danger-text" />
      <Heading className="text-lg font-semibold text-danger-text">{title}</Heading>
      {children && <div className="max-w-prose text-sm text-balance">{children}</div>}
      <div className="mt-3 flex flex-wrap justify-center gap-2">
        {onRetry && (
          <Button variant="secondary" onClick={onRetry}>
            Try Again
          </Button>
        )}
        {actions}
      </div>
    </div>
  );
}
