import { CalendarCheck } from 'lucide-react';
import { useRef } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import { type getToday, type TodayLead, type TodaySection, todaySection } from '#contract/leads/today/today.calls.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useUnlockedDrafts } from '#web/auth/unlocked-drafts.ts';
import { useCommands } from '#web/commands/commands.ts';
import { ChooseContactRules } from '#web/contact-rules/ChooseContactRules.tsx';
import { useTickToday } from '#web/first-steps/first-steps.data.ts';
import { formatCount } from '#web/kit/format.ts';
import { type Selection, useSelection } from '#web/kit/selection.ts';
import { AsOf } from '#web/kit/ui/AsOf.tsx';
import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { SelectionBar } from '#web/kit/ui/tables/SelectionBar.tsx';
import { AddBusinessButton } from '#web/leads/AddBusinessButton.tsx';
import { ReminderOffer } from '#web/leads/follow-ups/ReminderOffer.tsx';
import { useLogSheet } from '#web/leads/log/use-log-sheet.tsx';
import { TripLine } from '#web/leads/trip/TripLine.tsx';
import { useListKeys } from '#web/leads/use-list-keys.ts';
import { ContinueWork } from '#web/leads/work-queue/ContinueWork.tsx';
import { StartWork } from '#web/leads/work-queue/StartWork.tsx';
import { useStartWork } from '#web/leads/work-queue/work.data.ts';
import { InstallOffer } from '#web/phone/InstallOffer.tsx';
import { TodayRow } from './TodayRow.tsx';
import { useToday } from './today.data.ts';

const TITLE: Record<TodaySection, string> = {
  overdue: 'Overdue',
  due: 'Due today',
  new: 'New for you',
  loose: 'Loose ends',
  quiet: 'Going quiet',
  later: 'Later this week',
};

/** What is to be done with one's own leads. */
export function TodayScreen() {
  const today = useToday();
  useUnlockedDrafts(useViewer().id);
  useTickToday();
  return (
    <Page title="Today" actions={<AddBusinessButton iconOnPhone />}>
      {today.isPending && <Loading label="Loading your day…" />}
      {today.isError && !today.data && (
        <ErrorState title="Your day could not be loaded" onRetry={() => void today.refetch()}>
          {today.error.message}
        </ErrorState>
      )}
      {today.data && (
        <div className="flex flex-col gap-6">
          <AsOf at={today.dataUpdatedAt} />
          <ChooseContactRules />
          <TripLine />
          <ContinueWork />
          <ReminderOffer />
          <InstallOffer />
          <Day day={today.data} />
          {todaySection.options.every((section) => today.data[section].count === 0) && <NothingToDo />}
        </div>
      )}
    </Page>
  );
}

/** The sections, with the keys of a list over all of them. */
function Day({ day }: { day: ResponseBody<typeof getToday> }) {
  const viewer = useViewer();
  const start = useStartWork(viewer.id);
  const list = useRef<HTMLDivElement>(null);
  const leads = todaySection.options.flatMap((section) => day[section].leads);
  const ids = leads.map(({ userBusiness }) => userBusiness.id);
  const selection = useSelection('today', ids);
  const selected = leads.filter(({ userBusiness }) => selection.ids.has(userBusiness.id));
  const { log, sheet } = useLogSheet(leads);
  useListKeys({ list, ids, selection, onLog: log });

  const work = (title: string, chosen: TodayLead[]) =>
    start.mutate({ title, origin: '/today', load: async () => chosen });
  const first = todaySection.options.find((section) => day[section].leads.length > 0);
  useCommands({
    startWork: () => {
      if (selected.length) work(SELECTED, selected);
      else if (first) work(TITLE[first], day[first].leads);
      else return false;
    },
  });

  return (
    <div ref={list} className="flex flex-col gap-6">
      {todaySection.options.map((section) => (
        <Section key={section} section={section} {...day[section]} selection={selection} onLog={log} />
      ))}
      {selected.length > 0 && (
        <SelectionBar count={selected.length} onClear={selection.clear}>
          <Button size="sm" busy={start.isPending} onClick={() => work(SELECTED, selected)}>
            Work through {formatCount(selected.length)}
          </Button>
        </SelectionBar>
      )}
      {sheet}
    </div>
  );
}

const SELECTED = 'Selected on Today';

interface SectionProps {
  section: TodaySection;
  count: number;
  leads: TodayLead[];
  selection: Selection<number>;
  onLog: (id: number) => unknown;
}

function Section({ section, count, leads, selection, onLog }: SectionProps) {
  if (count === 0) return null;
  const headingId = `today-${section}`;
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={headingId} className="text-lg font-semibold">
          {TITLE[section]} <span className="font-normal text-muted">{formatCount(count)}</span>
        </h2>
        <StartWork title={TITLE[section]} origin="/today" count={leads.length} load={async () => leads} />
      </div>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
        {leads.map((lead) => (
          <TodayRow
            key={lead.userBusiness.id}
            lead={lead}
            section={section}
            selected={selection.ids.has(lead.userBusiness.id)}
            onSelect={() => selection.toggle(lead.userBusiness.id)}
            onLog={() => onLog(lead.userBusiness.id)}
          />
        ))}
      </ul>
      {count > leads.length && (
        <p className="text-sm text-muted">The first {formatCount(leads.length)} are shown; the others follow.</p>
      )}
    </section>
  );
}

function NothingToDo() {
  return (
    <EmptyState
      icon={CalendarCheck}
      title="Nothing is due today"
      actions={
        <>
          <ButtonLink href="/crm">Open your leads</ButtonLink>
          <ButtonLink variant="secondary" href="/search">
            Search for businesses
          </ButtonLink>
        </>
      }
    >
      Plan a follow-up on a lead, and it appears here on its day.
    </EmptyState>
  );
}
