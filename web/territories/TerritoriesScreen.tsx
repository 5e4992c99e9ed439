import { useMemo, useRef, useState } from 'react';
import type { DistrictInfo } from '#contract/districts/districts.calls.ts';
import { canSeeAllTerritories, type Territory } from '#contract/territories/territory.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useUnlockedDrafts } from '#web/auth/unlocked-drafts.ts';
import { useDistricts } from '#web/districts/districts.data.ts';
import { lazyComponent } from '#web/kit/lazy.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { MoveOffer } from './MoveOffers.tsx';
import { markPeople } from './person-marks.ts';
import { TerritoryEditor, UnsavedChanges } from './TerritoryEditor.tsx';
import { TerritoryTable } from './TerritoryTable.tsx';
import { useChangeTerritories, useTerritories } from './territories.data.ts';
import { useChosenPerson, useTerritoryDraft } from './territories-state.ts';
import * as drafts from './territory-draft.ts';
import { Overlaps, Unassigned } from './Unassigned.tsx';

// Leaflet is loaded with the first map.
const TerritoryMap = lazyComponent(
  async () => (await import('./TerritoryMap.tsx')).TerritoryMap,
  <Loading label="Loading the map…" />,
);

/** Which postcode districts belong to whom. Admins change it, managers read it, users see their own. */
export function TerritoriesScreen() {
  const districts = useDistricts();
  const territories = useTerritories();
  const unlocked = useUnlockedDrafts(useViewer().id);
  const failed = districts.isLoadingError ? districts : territories.isLoadingError ? territories : undefined;
  const retry = () => {
    if (districts.isError) void districts.refetch();
    if (territories.isError) void territories.refetch();
  };
  return (
    <Page title="Territories" back={{ href: '/coverage', label: 'Coverage' }}>
      {failed && (
        <ErrorState title="Territories could not be loaded" onRetry={retry}>
          {failed.error?.message}
        </ErrorState>
      )}
      {!failed && !(districts.data && territories.data && unlocked) && <Loading label="Loading territories…" />}
      {territories.isRefetchError && (
        <Notice tone="danger">The territories could not be refreshed: {territories.error.message}</Notice>
      )}
      {districts.data && territories.data && unlocked && (
        <Territories districts={districts.data} stored={territories.data.territories} />
      )}
    </Page>
  );
}

interface Props {
  districts: DistrictInfo[];
  stored: Territory[];
}

function Territories({ districts, stored }: Props) {
  const viewer = useViewer();
  const isAdmin = viewer.role === 'admin';
  const seesAll = canSeeAllTerritories(viewer);
  const [chosenId, choose] = useChosenPerson();
  const [draft, setDraft] = useTerritoryDraft(viewer.id, stored);
  const [others, setOthers] = useState<drafts.Others>('lose');
  const [selected, setSelected] = useState<string>();
  const [moves, setMoves] = useState<drafts.Move[]>([]);
  const save = useChangeTerritories();
  const panel = useRef<HTMLDivElement>(null);
  const known = useMemo(() => districts.map(({ code }) => code), [districts]);
  const territories = useMemo(() => drafts.applyDraft(stored, draft), [stored, draft]);
  const marks = useMemo(() => markPeople(stored), [stored]);
  const nameOf = (userId: number) => {
    const found = stored.find((each) => each.userId === userId);
    return found?.fullName || found?.username || 'a deleted user';
  };
  const chosen = territories.find(({ userId }) => userId === chosenId);
  const changes = drafts.listChanges(stored, draft);

  const add = (userId: number, codes: string[]) =>
    setDraft(drafts.addToDraft(stored, draft, { userId, districts: codes, others }));
  const remove = (userId: number, codes: string[]) =>
    setDraft(drafts.removeFromDraft(stored, draft, { userId, districts: codes }));
  const pick = (code: string) => {
    setSelected(code);
    if (!isAdmin || !chosen) return;
    if (chosen.districts.includes(code)) remove(chosen.userId, [code]);
    else if (chosen.active) add(chosen.userId, [code]);
  };
  // The card of the pressed button is gone.
  const focusPanel = () => panel.current?.focus();
  const saveChanges = () =>
    save.mutate(changes, {
      onSuccess: (response) => {
        setDraft(drafts.NO_DRAFT);
        setMoves(drafts.listMoves(response.changes));
        focusPanel();
      },
    });

  return (
    <>
      {stored.every((each) => each.districts.length === 0) && changes.length === 0 && (
        <EmptyState title="No territories yet">
          {isAdmin
            ? 'Choose a user below, then click districts on the map or name them.'
            : 'An administrator gives districts to users here.'}
        </EmptyState>
      )}
      <Overlaps territories={territories} known={known} />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)]">
        <div ref={panel} tabIndex={-1} className="flex min-w-0 flex-col gap-4">
          {moves
            .filter((move) => drafts.isCurrent(move, stored))
            .map((move) => (
              <MoveOffer
                key={`${move.fromUserId} ${move.toUserId}`}
                move={move}
                nameOf={nameOf}
                known={known}
                onDone={() => {
                  setMoves((all) => all.filter((other) => other !== move));
                  focusPanel();
                }}
              />
            ))}
          {changes.length > 0 && (
            <UnsavedChanges
              changes={changes}
              nameOf={nameOf}
              known={known}
              busy={save.isPending}
              onSave={saveChanges}
              onDiscard={() => {
                setDraft(drafts.NO_DRAFT);
                focusPanel();
              }}
            />
          )}
          {isAdmin && chosen && (
            <TerritoryEditor
              key={chosen.userId}
              person={chosen}
              known={known}
              others={others}
              onOthersChange={setOthers}
              onAdd={(codes) => add(chosen.userId, codes)}
              onRemove={(codes) => remove(chosen.userId, codes)}
            />
          )}
          <TerritoryTable
            territories={territories}
            marks={marks}
            known={known}
            chosenId={chosenId}
            action={isAdmin ? 'Edit' : 'Show'}
            onChoose={choose}
          />
          {seesAll && <Unassigned territories={territories} known={known} />}
        </div>
        <TerritoryMap
          districts={districts}
          territories={territories}
          marks={marks}
          chosenId={chosen?.userId}
          withoutOwner={seesAll ? 'no owner' : 'not yours'}
          selected={selected}
          onSelect={pick}
        />
      </div>
    </>
  );
}
