import { PhoneCall, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '#web/kit/format.ts';
import { Card } from '#web/kit/ui/Card.tsx';

export function TeamSummary({ active, contacts }: { active: number; contacts: number }) {
  return (
    <Card className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold">Team Summary</h2>
      <dl className="grid gap-4 sm:grid-cols-2">
        <Figure label="Active Team Members" icon={<Users aria-hidden="true" className="size-5" />} number={active} />
        <Figure
          label="Total Contacts This Month"
          icon={<PhoneCall aria-hidden="true" className="size-5" />}
          number={contacts}
        />
      </dl>
    </Card>
  );
}

function Figure({ label, icon, number }: { label: string; icon: ReactNode; number: number }) {
  return (
    <div className="flex items-center gap-4">
      <div className="grid size-11 shrink-0 place-items-center rounded-full bg-pine-soft text-pine-text">{icon}</div>
      <div className="flex flex-col-reverse">
        <dt className="text-sm text-muted">{label}</dt>
        <dd className="text-2xl font-semibold tabular-nums">{formatCount(number)}</dd>
      </div>
    </div>
  );
}
