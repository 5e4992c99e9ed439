import type { ReactNode } from 'react';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDateTime } from '#web/kit/format.ts';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';

export function FactCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <CardTitle>{title}</CardTitle>
      {children}
    </Card>
  );
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">{children}</dl>;
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 text-right font-medium tabular-nums [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}

export function Moment({ at }: { at: string }) {
  const timeZone = useTimeZone();
  return <TeamTime at={at} timeZone={timeZone} format={formatDateTime} className="min-w-[15ch]" />;
}
