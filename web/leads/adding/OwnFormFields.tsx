import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { toDraftValue } from '#web/leads/own-draft.ts';
import { OWN_FIELD_VIEWS } from '#web/leads/own-field-views.tsx';
import { listAsked, listLeftOver, type OwnTexts, restoreOwnText, toErrorName } from './own-texts.ts';

interface Props {
  /** Undefined for as long as they are not loaded. */
  fields: OwnField[] | undefined;
  texts: OwnTexts;
  errors: Record<string, string | undefined>;
  /** Receives the text, and what it means where it names what may be renamed. */
  onChange: (field: { id: number; name: string }, text: string, value?: string) => void;
}

/** The fields of the team's own that are asked for, and what was typed for one that is gone. */
export function OwnFormFields({ fields, texts, errors, onChange }: Props) {
  return (
    <>
      {listAsked(fields, texts).map((field) => {
        const { Control } = OWN_FIELD_VIEWS[field.type];
        const name = toErrorName(field.id);
        const { text, note = '' } = restoreOwnText(field, texts);
        return (
          <Control
            key={field.id}
            field={field}
            name={name}
            hint={`${note} ${field.help}`.trim() || undefined}
            error={errors[name]}
            value={text}
            onChange={(next) => onChange(field, next, toDraftValue(field, next))}
          />
        );
      })}
      {fields &&
        listLeftOver(fields, texts).map(({ id, name, text }) => (
          <div key={id} role="status" className="flex flex-col items-start gap-2 text-sm">
            <p>“{name}” is no longer a field of your team. What you typed goes into the note:</p>
            <p className="w-full rounded-md bg-sunken px-3 py-2 whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>
            <Button variant="secondary" size="sm" onClick={() => onChange({ id, name }, '')}>
              Discard <span className="sr-only">what you typed for {name}</span>
            </Button>
          </div>
        ))}
    </>
  );
}
