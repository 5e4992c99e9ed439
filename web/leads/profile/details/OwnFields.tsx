import { useEffect, useRef } from 'react';
import type { Lead } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import { type OwnField, readValue, writeValue } from '#contract/leads/own-fields/own-field.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { deleteDraft, useDraft, useDraftKeys } from '#web/kit/storage/drafts.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { targetClass } from '#web/kit/ui/SafeLink.tsx';
import { restoreText, toDraftValue } from '#web/leads/own-draft.ts';
import { OWN_FIELD_VIEWS, OwnValueText } from '#web/leads/own-field-views.tsx';
import { OwnValueConflict, toOwnValueConflict } from '#web/leads/own-value-conflict.ts';
import { useChangeOwnValue } from '#web/leads/profile/profile.data.ts';
import { useOwnFieldsQuery } from '#web/settings/own-fields.data.ts';
import { EditableField } from './EditableField.tsx';

interface Props {
  leadRef: LeadRef;
  lead: Lead;
  mayChange: boolean;
}

/** The fields of the team's own that are shown in profiles, and what was typed for one that is not any more. */
export function OwnFields(props: Props) {
  const viewer = useViewer();
  const { data } = useOwnFieldsQuery();
  const beginning = toDraftKey(props.lead, '');
  const typed = useDraftKeys(viewer.id, beginning).map(Number);
  // The names of those that are deleted while the page is open.
  const names = useRef(new Map<number, string>());
  useEffect(() => {
    for (const { id, name } of data?.fields ?? []) names.current.set(id, name);
  }, [data]);
  if (!data) return null;
  const deleted = typed.filter((id) => !data.fields.some((field) => field.id === id));
  return (
    <>
      {data.fields
        .filter(({ id, inProfile }) => inProfile || typed.includes(id))
        .map((field) =>
          field.archived ? (
            <LeftOverDraft
              key={field.id}
              name={field.name}
              reason="This field was archived meanwhile, so that it cannot be changed."
              draftKey={toDraftKey(props.lead, field.id)}
            />
          ) : (
            <OwnFieldEntry key={field.id} field={field} {...props} />
          ),
        )}
      {deleted.map((id) => (
        <LeftOverDraft
          key={id}
          name={names.current.get(id) ?? 'A field of your team'}
          reason="This field was deleted meanwhile."
          draftKey={toDraftKey(props.lead, id)}
        />
      ))}
    </>
  );
}

const toDraftKey = (lead: Lead, fieldId: number | '') => `${lead.uuid}.own-field-${fieldId}`;

function OwnFieldEntry({ field, leadRef, lead, mayChange }: Props & { field: OwnField }) {
  const change = useChangeOwnValue(leadRef, field);
  const value = lead.ownFields[field.id];
  /** After a conflict, what the next attempt replaces: the editor has shown it. */
  const shown = useRef<{ opened: string; current: OwnValue | null }>(undefined);
  /** The values by the texts that the editor was opened with: choices may be renamed since. */
  const written = useRef(new Map<string, OwnValue>());
  const text = writeValue(field, value);
  useEffect(() => {
    if (value !== undefined) written.current.set(text, value);
  }, [text, value]);
  const { Control } = OWN_FIELD_VIEWS[field.type];

  const save = async (typed: string, opened: string) => {
    const read = readValue(field, typed);
    if ('error' in read) throw new Error(read.error);
    const before = shown.current?.opened === opened ? shown.current.current : (written.current.get(opened) ?? null);
    try {
      await change.mutateAsync({ value: read.value, before });
      shown.current = undefined;
    } catch (error) {
      const conflict = toOwnValueConflict(error, field);
      if (conflict instanceof OwnValueConflict) shown.current = { opened, current: conflict.current };
      throw conflict;
    }
  };

  return (
    <EditableField
      label={field.name}
      value={text}
      mayChange={mayChange}
      draftKey={toDraftKey(lead, field.id)}
      renames={{
        toValue: (typed) => toDraftValue(field, typed),
        restore: (draft) => restoreText(field, draft),
      }}
      onSave={save}
      renderControl={(control) => <Control field={field} hint={field.help} labelHidden {...control} />}
    >
      {value !== undefined && <OwnValueText field={field} value={value} linkClass={targetClass} />}
    </EditableField>
  );
}

interface LeftOverProps {
  name: string;
  reason: string;
  draftKey: string;
}

/** What was typed for a field that takes no value any more; nothing where that is nothing. */
function LeftOverDraft({ name, reason, draftKey }: LeftOverProps) {
  const viewer = useViewer();
  const draft = useDraft(viewer.id, draftKey);
  if (!draft) return null;
  return (
    <div role="status" className="border-t border-line py-2">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="flex flex-wrap items-start gap-x-2">
        <p className="w-full text-sm">{reason} This is what you typed:</p>
        <p className="min-w-0 flex-1 rounded-md bg-sunken px-3 py-2 text-sm whitespace-pre-line [overflow-wrap:anywhere]">
          {draft.text}
        </p>
        <Button variant="secondary" size="sm" onClick={() => deleteDraft(viewer.id, draftKey)}>
          Discard
        </Button>
      </dd>
    </div>
  );
}
