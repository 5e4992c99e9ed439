import type { UseQueryResult } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import { DialogActions } from './Dialog.tsx';
import { Loading } from './Loading.tsx';
import { ErrorState, Notice } from './Notice.tsx';
import { type Option, SelectField } from './Select.tsx';

interface Named {
  id: number;
  fullName: string;
  username: string;
}

/** "Olivia Hart (olivia)" */
export const userOption = ({ id, fullName, username }: Named): Option => ({
  value: String(id),
  label: fullName ? `${fullName} (${username})` : username,
});

interface Props extends FormProps {
  /** The question that the options are the answer to. */
  asked: Pick<UseQueryResult, 'isPending' | 'isError' | 'error' | 'refetch'>;
  options: Option[] | undefined;
  /** Said where there is nobody to choose. */
  nobody: string;
}

/** What a dialog consists of in which something is given to a colleague. */
export function ChooseUser({ asked, options, nobody, ...form }: Props) {
  if (!options && asked.isPending) return <Loading label="Loading users…" />;
  if (!options) {
    return (
      <ErrorState title="Users could not be loaded" onRetry={() => void asked.refetch()}>
        {asked.error?.message}
      </ErrorState>
    );
  }
  return options.length === 0 ? <Notice>{nobody}</Notice> : <ChoiceForm options={options} {...form} />;
}

interface FormProps {
  label: string;
  /** Why this choice cannot be carried out, if it cannot; nobody is chosen while it is empty. */
  complaint: (userId: string) => string | undefined;
  /** The word on the button, and what it says while it is being done. */
  verb: [idle: string, busy: string];
  busy: boolean;
  onChoose: (userId: number) => void;
  onCancel: () => void;
  /** Whatever else is asked or said, below the choice. */
  children?: ReactNode;
}

function ChoiceForm(props: FormProps & { options: Option[] }) {
  const { label, options, complaint, verb, busy, onChoose, onCancel, children } = props;
  const [userId, setUserId] = useState('');
  const [error, setError] = useState<string>();
  const picker = useRef<HTMLSelectElement>(null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const wrong = complaint(userId);
    setError(wrong);
    if (wrong) picker.current?.focus();
    else onChoose(Number(userId));
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <SelectField
        ref={picker}
        label={label}
        placeholder="Select a user"
        options={options}
        value={userId}
        error={error}
        disabled={busy}
        onChange={({ target }) => {
          setUserId(target.value);
          setError(undefined);
        }}
      />
      {children}
      <DialogActions>
        <Button variant="secondary" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={busy}>
          {busy ? verb[1] : verb[0]}
        </Button>
      </DialogActions>
    </form>
  );
}
