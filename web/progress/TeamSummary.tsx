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
    <div className="relative flex flex-col-reverse pl-15">
      <dt className="text-sm text-muted">
        <span className="absolute inset-y-0 left-0 my-auto grid size-11 place-items-center rounded-full bg-pine-soft text-pine-text">
          {icon}
        </span>
        {label}
      </dt>
      <dd className="text-2xl font-semibold tabular-nums">{formatCount(number)}</dd>
    </div>
  );
}
