import type { ImportPreview } from '#contract/import/import-job.ts';
import type { AssignmentChoice } from '#contract/territories/assignment.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import {
  SHARE_OUT_WAYS,
  type ShareOutDraft,
  ShareOutFields,
  type ShareOutWay,
  SharesPreview,
  toAssignmentChoice,
} from '#web/kit/ui/ShareOut.tsx';
import { toUserOption, useUsers } from '#web/users/users.data.ts';
import { formatRows } from './describe-import.ts';

type Way = ShareOutWay | 'importer';
export type WithoutUserDraft = ShareOutDraft<Way>;
type WithoutUser = NonNullable<ImportPreview['withoutUser']>;

const WAYS: readonly { value: Way; label: string }[] = [{ value: 'importer', label: 'To me' }, ...SHARE_OUT_WAYS];

interface Props {
  withoutUser: WithoutUser;
  draft: WithoutUserDraft;
  onChange: (draft: WithoutUserDraft) => void;
  busy: boolean;
  /** Checks the file again: undefined is the choice to keep them. */
  onCheck: (choice: AssignmentChoice | undefined) => void;
}

/** Who gets the rows that name no user. Another choice is checked before it can be imported. */
export function RowsWithoutUser({ withoutUser, draft, onChange, busy, onCheck }: Props) {
  const { rows, choice, shares } = withoutUser;
  const accounts = useUsers();
  const users = (accounts.data ?? []).filter(({ active }) => active).map(toUserOption);
  const chosen = toAssignmentChoice(draft);
  const isComplete = draft.way === 'importer' || chosen !== undefined;
  const isChecked = isCheckedDraft(draft, withoutUser);
  return (
    <section className="flex flex-col gap-3">
      <h3 className="font-semibold">Rows without a user</h3>
      <p className="text-sm text-muted">
        {rows === 1 ? '1 row names no user.' : `${formatRows(rows)} name no user.`} Who gets them?
      </p>
      {accounts.isError && (
        <div className="flex flex-wrap items-center gap-3 text-sm text-danger-text">
          Users could not be loaded.
          <Button variant="secondary" size="sm" onClick={() => void accounts.refetch()}>
            Try Again
          </Button>
        </div>
      )}
      <ShareOutFields label="Rows without a user" ways={WAYS} users={users} draft={draft} onChange={onChange} />
      {isChecked && choice && (
        <SharesPreview
          shares={shares}
          heldText={(held) => `${formatCount(held)} already there, or repeated in the file`}
        />
      )}
      {isComplete && !isChecked && (
        <Button variant="secondary" className="self-start" busy={busy} onClick={() => onCheck(chosen)}>
          Check the file with this choice
        </Button>
      )}
    </section>
  );
}

/** Whether the preview was computed with this choice. */
export const isCheckedDraft = (draft: WithoutUserDraft, { choice }: WithoutUser) =>
  draft.way === 'importer' ? choice === null : JSON.stringify(toAssignmentChoice(draft)) === JSON.stringify(choice);

export function toDraft({ choice }: WithoutUser): WithoutUserDraft {
  const way = choice && choice.way !== 'one' ? choice.way : 'importer';
  return {
    way,
    userIds: choice && 'userIds' in choice ? choice.userIds : [],
    fallbackUserId: choice?.way === 'territory' ? choice.fallbackUserId : undefined,
  };
}
