import type { ResponseBody } from '#contract/call.ts';
import { ATTENTION_LABEL } from '#contract/leads/lead-filter.ts';
import { type getSlipped, type SlippedKind, slippedKind, toSlippedParams } from '#contract/reports/slipped.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { Cell, HeadCell, Row, Table } from '#web/kit/ui/tables/Table.tsx';
import { CountLink } from './CountLink.tsx';
import { CsvButton } from './CsvButton.tsx';
import { FirstOnPaper, NAME_ON_PAPER, PEOPLE_ON_PAPER } from './FirstOnPaper.tsx';
import { ReportPart } from './ReportPart.tsx';
import { type ReportState, toReportFilter } from './report-state.ts';
import { useSlipped } from './reports.data.ts';

interface Props {
  state: ReportState;
  viewer: Viewer;
}

type Person = ResponseBody<typeof getSlipped>[number];

/** What is overdue, quiet, never contacted or without a next step, by holder: of now, whatever the period. */
export function Slipped({ state, viewer }: Props) {
  const slipped = useSlipped(state);
  return (
    <ReportPart
      title="Slipped"
      note="Now, whatever the period. A number opens its leads, which can be selected there and shared out."
      actions={<CsvButton table="slipped" of="what slipped" state={state} />}
      query={slipped}
    >
      {(people) =>
        people.length ? (
          <>
            <SlippedTable people={people} state={state} viewer={viewer} />
            <FirstOnPaper rows={PEOPLE_ON_PAPER} of={people.length} />
          </>
        ) : (
          <EmptyState title="No lead slipped">Every open lead was contacted and has a next step.</EmptyState>
        )
      }
    </ReportPart>
  );
}

function SlippedTable({ people, state, viewer }: Props & { people: Person[] }) {
  const all = people.length > 1 && { name: 'All', ...sumCounts(people) };
  const rows = [
    ...people.map((person) => ({ ...person, user: person.id })),
    ...(all ? [{ ...all, user: undefined }] : []),
  ];
  return (
    <Table
      label="Slipped"
      head={
        <>
          <HeadCell className="max-sm:px-3">Person</HeadCell>
          {slippedKind.options.map((kind) => (
            <HeadCell key={kind} className="text-right max-sm:px-2 max-sm:whitespace-normal">
              {ATTENTION_LABEL[kind]}
            </HeadCell>
          ))}
        </>
      }
    >
      {rows.map(({ user, name, ...counts }, nth) => (
        <Row
          key={user ?? 'all'}
          className={!user ? 'font-semibold' : nth < PEOPLE_ON_PAPER ? undefined : 'print:hidden'}
        >
          <th
            scope="row"
            className="min-w-24 px-4 py-2 text-left font-medium max-sm:px-3 print:min-w-0 [overflow-wrap:anywhere]"
          >
            <span className={NAME_ON_PAPER}>{name}</span>
          </th>
          {slippedKind.options.map((kind) => {
            const filter = { ...toReportFilter(state), user: user ?? state.person };
            const href = `/crm?${new URLSearchParams(toSlippedParams(viewer, filter, kind))}`;
            return (
              <Cell key={kind} className="text-right tabular-nums max-sm:px-2">
                {counts[kind] ? (
                  <CountLink href={href} count={counts[kind]} of={`${name}, ${ATTENTION_LABEL[kind]}`} />
                ) : (
                  '0'
                )}
              </Cell>
            );
          })}
        </Row>
      ))}
    </Table>
  );
}

const sumCounts = (people: Person[]): Record<SlippedKind, number> => {
  const sum = (kind: SlippedKind) => people.reduce((total, person) => total + person[kind], 0);
  return { overdue: sum('overdue'), quiet: sum('quiet'), uncontacted: sum('uncontacted'), loose: sum('loose') };
};
