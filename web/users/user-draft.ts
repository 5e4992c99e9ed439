import { type FormEvent, useState } from 'react';
import { z } from 'zod';
import { role } from '#contract/users/user.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { deleteDraft, readDraft, saveDraft } from '#web/kit/storage/drafts.ts';

/** The keys of the drafts of this screen start with it. */
export const USER_DRAFTS = 'users.';

/** What a draft of an account holds: never a password. */
const draftFields = z.object({
  username: z.string(),
  email: z.string(),
  fullName: z.string(),
  role,
  monthlyGoal: z.string(),
});
type Fields = z.infer<typeof draftFields>;

/** The fields of an account in a form, as a draft of those that differ from the defaults. */
export function useUserDraft(account: number | 'new' | 'invitation', defaults: Fields) {
  const viewer = useViewer();
  const key = `${USER_DRAFTS}${account}`;
  const [values] = useState<Fields>(() => ({ ...defaults, ...parseDraft(readDraft(viewer.id, key)?.text) }));
  const discard = () => deleteDraft(viewer.id, key);

  const store = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const form = new FormData(currentTarget);
    const changed = draftFields.keyof().options.filter((name) => form.has(name) && form.get(name) !== defaults[name]);
    if (changed.length === 0) return discard();
    const text = JSON.stringify(Object.fromEntries(changed.map((name) => [name, form.get(name)])));
    saveDraft(viewer.id, key, { text, version: 0 });
  };

  return { values, store, discard };
}

function parseDraft(text = '{}'): Partial<Fields> {
  try {
    return draftFields.partial().parse(JSON.parse(text));
  } catch {
    return {};
  }
}
