import { Download, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Objection } from '#contract/contact-rules/objection.ts';
import { OBJECTIONS_PAGE_SIZE } from '#contract/contact-rules/objections.calls.ts';
import { formatCounted } from '#web/kit/format.ts';
import { useUrlState } from '#web/kit/navigation/url-state.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { Pagination } from '#web/kit/ui/tables/Pagination.tsx';
import { AddObjectionDialog } from './AddObjectionDialog.tsx';
import { ChooseContactRules } from './ChooseContactRules.tsx';
import { ImportObjections } from './ImportObjections.tsx';
import { LiftObjectionDialog } from './LiftObjectionDialog.tsx';
import { ObjectionFilters } from './ObjectionFilters.tsx';
import { describeSubjects, ObjectionText } from './ObjectionText.tsx';
import { useExportObjections, useObjections } from './objections.data.ts';
import { NO_FILTER, type ObjectionsState, objectionsParams } from './objections-state.ts';

/** Who does not want to be contacted, for administrators. */
export function ObjectionsScreen() {
  const [state, change] = useUrlState<ObjectionsState>(objectionsParams, NO_FILTER);
  const [adding, setAdding] = useState(false);
  const { page: _, ...filter } = state;
  const exporting = useExportObjections();
  return (
    <Page
      title="Do not contact"
      actions={
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setAdding(true)}>
            <Plus aria-hidden="true" />
            Add
          </Button>
          <ImportObjections />
          <Button variant="secondary" busy={exporting.isPending} onClick={() => exporting.mutate(filter)}>
            {!exporting.isPending && <Download aria-hidden="true" />}
            Export CSV
          </Button>
        </div>
      }
    >
      <p className="max-w-3xl text-sm text-muted">
        Whoever asked not to be contacted, by number, e-mail address or business. It counts for every lead that has the
        same, also after leads are deleted, merged, imported again or given to others.
      </p>
      <ChooseContactRules />
      <ObjectionFilters
        state={state}
        onChange={(changed) => change((current) => ({ ...current, page: 1, ...changed }))}
      />
      <List
        state={state}
        onPage={(page) => change((current) => ({ ...current, page }))}
        onClear={() => change(() => NO_FILTER)}
      />
      {adding && <AddObjectionDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

interface ListProps {
  state: ObjectionsState;
  onPage: (page: number) => void;
  onClear: () => void;
}

function List({ state, onPage, onClear }: ListProps) {
  const { data, isPending, isError, error, refetch } = useObjections(state);
  const [lifting, setLifting] = useState<Objection>();
  if (isPending) return <Loading label="Loading the objections…" />;
  if (isError && !data) {
    return (
      <ErrorState title="The objections could not be loaded" onRetry={() => void refetch()}>
        {error.message}
      </ErrorState>
    );
  }
  if (data.total === 0) return <Nothing filtered={Boolean(state.q || state.channel)} onClear={onClear} />;
  return (
    <>
      <p className="text-sm text-muted" aria-live="polite">
        {formatCounted(data.total, 'objection')}
      </p>
      <ul
        aria-label="Objections"
        className="flex flex-col divide-y divide-line rounded-lg border border-line bg-surface"
      >
        {data.items.map((objection) => (
          <Row key={objection.id} objection={objection} onLift={() => setLifting(objection)} />
        ))}
      </ul>
      {data.total > OBJECTIONS_PAGE_SIZE && (
        <Pagination
          label="Objections"
          page={state.page}
          pages={Math.ceil(data.total / OBJECTIONS_PAGE_SIZE)}
          onPage={onPage}
        />
      )}
      {lifting && <LiftObjectionDialog objection={lifting} onClose={() => setLifting(undefined)} />}
    </>
  );
}

function Row({ objection, onLift }: { objection: Objection; onLift: () => void }) {
  const subjects = describeSubjects(objection);
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-72 gap-x-6 gap-y-1 md:grid-cols-[minmax(0,1fr)_minmax(0,1.5fr)]">
        <ul aria-label="About" className="text-sm font-semibold [overflow-wrap:anywhere]">
          {subjects.map((subject) => (
            <li key={subject}>{subject}</li>
          ))}
        </ul>
        <ObjectionText objection={objection} />
      </div>
      {!objection.lifted && (
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Lift the objection of ${subjects.join(', ')}`}
          onClick={onLift}
        >
          Lift…
        </Button>
      )}
    </li>
  );
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) {
    return (
      <EmptyState title="Nobody objected">
        Objections come from logged calls, from the profiles of leads, from here and from files.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No objection matches the filters in use"
      actions={
        <Button variant="secondary" onClick={onClear}>
          Clear filters
        </Button>
      }
    />
  );
}
