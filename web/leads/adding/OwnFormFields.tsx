import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { OWN_FIELD_VIEWS } from '#web/leads/own-field-views.tsx';
import { listAsked, listLeftOver, type OwnTexts, toErrorName } from './own-texts.ts';

interface Props {
  /** Undefined for as long as they are not loaded. */
  fields: OwnField[] | undefined;
  texts: OwnTexts;
  errors: Record<string, string | undefined>;
  onChange: (field: { id: number; name: string }, text: string) => void;
}

/** The fields of the team's own that are asked for, and what was typed for one that is gone. */
export function OwnFormFields({ fields, texts, errors, onChange }: Props) {
  return (
    <>
      {listAsked(fields, texts).map((field) => {
        const { Control } = OWN_FIELD_VIEWS[field.type];
        const name = toErrorName(field.id);
        return (
          <Control
            key={field.id}
            field={field}
            name={name}
            hint={field.help || undefined}
            error={errors[name]}
            value={texts[field.id]?.text ?? ''}
            onChange={(text) => onChange(field, text)}
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
