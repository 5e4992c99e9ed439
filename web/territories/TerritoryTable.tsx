import { Fragment } from 'react';
import { formatDistrictList } from '#contract/territories/district-list.ts';
import { findOverlaps, type Territory } from '#contract/territories/territory.ts';
import { formatCount } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Cell, HeadCell, Row, Table } from '#web/kit/ui/tables/Table.tsx';
import { PersonBadge } from './PersonBadge.tsx';
import type { PersonMark } from './person-marks.ts';

interface Props {
  territories: Territory[];
  marks: ReadonlyMap<number, PersonMark>;
  /** The codes of all districts. */
  known: string[];
  chosenId: number | undefined;
  action: 'Edit' | 'Show';
  onChoose: (userId: number | undefined) => void;
}

/** Who has which districts. */
export function TerritoryTable({ territories, marks, known, chosenId, action, onChoose }: Props) {
  const overlapping = new Set(findOverlaps(territories).map(({ district }) => district));
  return (
    <Table
      label="Territories"
      head={
        <>
          <HeadCell>User</HeadCell>
          <HeadCell>Districts</HeadCell>
          <HeadCell>
            <span className="sr-only">Actions</span>
          </HeadCell>
        </>
      }
    >
      {territories.map(({ userId, fullName, username, active, districts }) => {
        const shared = districts.filter((code) => overlapping.has(code));
        const name = fullName || username;
        const chosen = userId === chosenId;
        return (
          <Row key={userId} className={chosen ? 'bg-pine-soft' : ''}>
            <Cell className="align-top">
              <div className="flex flex-col gap-x-2 gap-y-1 font-medium max-sm:min-w-24 sm:min-h-8 sm:flex-row sm:items-center">
                <PersonBadge mark={marks.get(userId)} />
                {name}
              </div>
            </Cell>
            <Cell className="align-top">
              {/* On the line of the button. */}
              <div className="flex flex-col items-start gap-1 sm:py-1.5">
                {districts.length > 0 ? (
                  <Ranges list={formatDistrictList(districts, known)} />
                ) : (
                  <span className="text-muted">None</span>
                )}
                {shared.length > 0 && (
                  <Badge tone="warn">
                    {shared.length === 1 ? '1 district is' : `${formatCount(shared.length)} districts are`} shared
                  </Badge>
                )}
                {!active && <Badge tone="warn">Inactive: gets no leads</Badge>}
              </div>
            </Cell>
            <Cell className="text-right align-top">
              <Button
                variant="secondary"
                size="sm"
                aria-label={`${chosen ? 'Close' : action} the territory of ${name}`}
                onClick={() => onChoose(chosen ? undefined : userId)}
              >
                {chosen ? 'Close' : action}
              </Button>
            </Cell>
          </Row>
        );
      })}
    </Table>
  );
}

/** "LS1–LS29, WF1", with line breaks between the ranges only. */
function Ranges({ list }: { list: string }) {
  return (
    <span>
      {list.split(', ').map((range, nth) => (
        <Fragment key={range}>
          {nth > 0 && ', '}
          <span className="whitespace-nowrap">{range}</span>
        </Fragment>
      ))}
    </span>
  );
}
