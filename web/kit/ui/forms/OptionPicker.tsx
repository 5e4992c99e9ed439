import type { UseQueryResult } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { type Option, SelectField } from './Select.tsx';

interface Props extends FormProps {
  /** The read that the options come from. */
  query: Pick<UseQueryResult, 'isPending' | 'error' | 'refetch'>;
  /** Undefined until the read has succeeded. */
  options: Option[] | undefined;
  loadingLabel: string;
  errorTitle: string;
  emptyMessage: string;
}

/** The content of a dialog that asks for one of several options: loading, failed, empty, or the form. */
export function OptionPicker({ query, options, loadingLabel, errorTitle, emptyMessage, ...form }: Props) {
  // The dialog itself moves the focus to a field that is there when it opens.
  const [loadedLater] = useState(!options);
  if (!options && query.isPending) return <Loading label={loadingLabel} />;
  if (!options) {
    return (
      <ErrorState title={errorTitle} onRetry={() => void query.refetch()}>
        {query.error?.message}
      </ErrorState>
    );
  }
  return options.length === 0 ? (
    <Notice>{emptyMessage}</Notice>
  ) : (
    <OptionForm options={options} takesFocus={loadedLater} {...form} />
  );
}

interface FormProps {
  label: string;
  placeholder: string;
  /** The validation error of a value, which is empty while no option is chosen. */
  validate: (value: string) => string | undefined;
  submitLabel: [idle: string, busy: string];
  busy: boolean;
  onSubmit: (value: string) => void;
  onCancel: () => void;
  /** More fields or notices below the select. */
  children?: ReactNode;
}

function OptionForm(props: FormProps & { options: Option[]; takesFocus: boolean }) {
  const { label, placeholder, options, takesFocus, validate, submitLabel, busy, onSubmit, onCancel, children } = props;
  const [value, setValue] = useState('');
  const [validationError, setValidationError] = useState<string>();
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (takesFocus) select.current?.focus();
  }, [takesFocus]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const error = validate(value);
    setValidationError(error);
    if (error) select.current?.focus();
    else onSubmit(value);
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <SelectField
        ref={select}
        label={label}
        placeholder={placeholder}
        options={options}
        value={value}
        error={validationError}
        disabled={busy}
        onChange={({ target }) => {
          setValue(target.value);
          setValidationError(undefined);
        }}
      />
      {children}
      <DialogActions>
        <Button variant="secondary" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={busy}>
          {busy ? submitLabel[1] : submitLabel[0]}
        </Button>
      </DialogActions>
    </form>
  );
}
