import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import type { FieldChoice } from '#contract/leads/own-fields/field-type.ts';
import { MAX_CHOICE_LENGTH, MAX_CHOICES } from '#contract/leads/own-fields/own-field.ts';
import { newUuid } from '#web/kit/api.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';

/** A choice in the form; one that is new has no id. */
export interface EditedChoice {
  /** Of the row. */
  key: string;
  id?: string;
  label: string;
}

interface Props {
  choices: EditedChoice[];
  /** Those that leads may still have. */
  retired: FieldChoice[];
  error: string | undefined;
  onChange: (choices: EditedChoice[]) => void;
}

/** The choices of a field in their order. */
export function ChoicesField({ choices, retired, error, onChange }: Props) {
  const move = (at: number, step: 1 | -1) => {
    const next = [...choices];
    next.splice(at + step, 0, ...next.splice(at, 1));
    onChange(next);
  };
  const notOffered = retired.filter(({ id }) => !choices.some((choice) => choice.id === id));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">Choices</legend>
      {choices.map((choice, at) => (
        <div key={choice.key} className="flex items-start gap-1">
          <TextField
            className="min-w-0 flex-1"
            label={`Choice ${at + 1}`}
            labelHidden
            maxLength={MAX_CHOICE_LENGTH}
            value={choice.label}
            autoFocus={!choice.label && at > 0}
            onChange={({ target }) =>
              onChange(choices.map((each) => (each === choice ? { ...choice, label: target.value } : each)))
            }
          />
          <IconButton
            icon={ArrowUp}
            label={`Move choice ${at + 1} up`}
            disabledReason={at === 0 ? 'This is the first choice' : undefined}
            onClick={() => move(at, -1)}
          />
          <IconButton
            icon={ArrowDown}
            label={`Move choice ${at + 1} down`}
            disabledReason={at === choices.length - 1 ? 'This is the last choice' : undefined}
            onClick={() => move(at, 1)}
          />
          <IconButton
            icon={X}
            label={choice.id ? `Stop offering ${choice.label}` : `Remove choice ${at + 1}`}
            onClick={() => onChange(choices.filter((each) => each !== choice))}
          />
        </div>
      ))}
      {error && (
        <p role="alert" className="text-sm text-danger-text">
          {error}
        </p>
      )}
      <Button
        variant="secondary"
        size="sm"
        className="self-start"
        disabled={choices.length >= MAX_CHOICES}
        onClick={() => onChange([...choices, { key: newUuid(), label: '' }])}
      >
        <Plus aria-hidden="true" />
        Add choice
      </Button>
      {notOffered.length > 0 && (
        <div className="text-sm text-muted">
          <p>No longer offered; leads that have them keep them:</p>
          <ul className="flex flex-wrap gap-x-3">
            {notOffered.map(({ id, label }) => (
              <li key={id} className="flex items-center">
                {label}
                <Button
                  variant="link"
                  size="sm"
                  aria-label={`Offer ${label} again`}
                  onClick={() => onChange([...choices, { key: id, id, label }])}
                >
                  Offer again
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </fieldset>
  );
}
