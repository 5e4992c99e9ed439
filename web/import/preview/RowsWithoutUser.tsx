import { useState } from 'react';
import type { ImportPreview } from '#contract/import/import-job.ts';
import type { AssignmentChoice } from '#contract/leads/sharing/assignment.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { formatRows } from '#web/import/describe-import.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import {
  SHARE_OUT_WAYS,
  type ShareOutDraft,
  ShareOutFields,
  type ShareOutWay,
  SharesPreview,
  toAssignmentChoice,
} from '#web/leads/sharing/ShareOut.tsx';
import { toUserOption, useUsers } from '#web/users/users.data.ts';

type Way = ShareOutWay | 'importer';
type WithoutUserDraft = ShareOutDraft<Way>;
type WithoutUser = ImportPreview['withoutUser'];

const WAYS: readonly { value: Way; label: string }[] = [{ value: 'importer', label: 'To me' }, ...SHARE_OUT_WAYS];

interface Props {
  withoutUser: WithoutUser;
  draft: WithoutUserDraft;
  onChange: (draft: WithoutUserDraft) => void;
  /** Whether the shares are those of this choice. */
  isCounted: boolean;
}

/** Who gets the rows that name no user. */
export function RowsWithoutUser({ withoutUser: { rows, shares }, draft, onChange, isCounted }: Props) {
  const accounts = useUsers();
  const users = (accounts.data ?? []).filter(({ active }) => active).map(toUserOption);
  return (
    <section className="flex flex-col gap-3">
      <div>
        <h3 className="font-semibold">Rows without a user</h3>
        <p className="text-sm text-muted">
          {rows === 1 ? '1 row names no user. Who gets it?' : `${formatRows(rows)} name no user. Who gets them?`}
        </p>
      </div>
      {accounts.isError && (
        <div className="flex flex-wrap items-center gap-3 text-sm text-danger-text">
          Users could not be loaded.
          <Button variant="secondary" size="sm" onClick={() => void accounts.refetch()}>
            Try Again
          </Button>
        </div>
      )}
      <ShareOutFields label="Rows without a user" ways={WAYS} users={users} draft={draft} onChange={onChange} />
      {isCounted && draft.way !== 'importer' && findMissing(draft) === undefined && (
        <SharesPreview
          shares={shares}
          heldText={(held) => `${formatCount(held)} already there, or repeated in the file`}
        />
      )}
    </section>
  );
}

/** What is chosen so far. It is reported once it is complete. */
export function useWithoutUserDraft(
  chosen: AssignmentChoice | null,
  onChoose: (choice: AssignmentChoice | null) => void,
) {
  const { id } = useViewer();
  // What is outside all territories is the viewer's unless they say otherwise.
  const [draft, setDraft] = useState(() => toDraft(chosen, id));
  const change = (next: WithoutUserDraft) => {
    setDraft(next);
    if (findMissing(next) === undefined) onChoose(toAssignmentChoice(next) ?? null);
  };
  return [draft, change] as const;
}

/** What is still to be chosen. */
export function findMissing(draft: WithoutUserDraft): string | undefined {
  if (draft.way === 'importer' || toAssignmentChoice(draft)) return undefined;
  return draft.way === 'territory'
    ? 'Choose who gets what is outside all territories.'
    : 'Choose at least one user who gets the rows without a user.';
}

function toDraft(choice: AssignmentChoice | null, viewerId: number): WithoutUserDraft {
  return {
    way: choice && choice.way !== 'one' ? choice.way : 'importer',
    userIds: choice && 'userIds' in choice ? choice.userIds : [],
    fallbackUserId: choice?.way === 'territory' ? choice.fallbackUserId : viewerId,
  };
}
