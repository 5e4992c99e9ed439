import { LocateFixed, X } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { BUSINESS_TYPES } from '#contract/business-types/business-types.ts';
import { MAX_BUSINESS_TYPES, suggest } from '#contract/search/suggestions.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { mayLocate, useBrowserPosition } from '#web/kit/browser-position.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Combobox } from '#web/kit/ui/forms/Combobox.tsx';
import { TextareaField, TextField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { useAssignees } from '#web/leads/leads.data.ts';
import { loadToAddHere } from './add-here.ts';
import type { TypedBusiness } from './adding-draft.ts';

interface Props {
  values: TypedBusiness;
  errors: Record<string, string | undefined>;
  locate: boolean;
  onChange: (part: Partial<TypedBusiness>) => void;
  /** Below the name. */
  children: ReactNode;
}

type TextName = 'name' | 'businessType' | 'phone' | 'postcode' | 'contactPerson' | 'notes' | 'website';

/** In the order in which a person on the street learns them. */
export function BusinessFields({ values, errors, locate, onChange, children }: Props) {
  const { role } = useViewer();
  const text = (name: TextName) => ({
    name,
    value: values[name],
    error: errors[name],
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  });
  return (
    <>
      <TextField label="Name" autoFocus {...text('name')} maxLength={200} />
      {children}
      <Place
        field={text('postcode')}
        position={values.position}
        locate={locate}
        onPosition={(position) => onChange({ position })}
      />
      <TextField label="Phone" type="tel" {...text('phone')} maxLength={40} />
      <Combobox
        {...text('businessType')}
        label="Type of business"
        placeholder="e.g. bakery"
        maxLength={200}
        suggestions={suggest(BUSINESS_TYPES, values.businessType, MAX_BUSINESS_TYPES)}
        onChange={(businessType) => onChange({ businessType })}
      />
      <TextField label="Contact person" {...text('contactPerson')} maxLength={200} />
      <TextareaField label="Note" rows={2} {...text('notes')} />
      <TextField label="Website" type="url" inputMode="url" {...text('website')} />
      {role === 'admin' && (
        <Holder holderId={values.holderId} error={errors.holderId} onChange={(holderId) => onChange({ holderId })} />
      )}
    </>
  );
}

interface PlaceProps {
  field: { name: string; value: string; error: string | undefined; onChange: (event: never) => void };
  position: TypedBusiness['position'];
  locate: boolean;
  onPosition: (position: TypedBusiness['position']) => void;
}

/** The postcode, or where the user is. */
function Place({ field, position, locate, onPosition }: PlaceProps) {
  const browser = useBrowserPosition(onPosition, 'type the postcode');
  const ask = () => (mayLocate() ? browser.locate() : loadToAddHere());
  const locateOnLoad = useEffectEvent(() => locate && browser.locate());
  useEffect(() => void locateOnLoad(), []);
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-start gap-2">
        <TextField
          {...field}
          className="min-w-0 flex-1"
          label="Postcode"
          placeholder={position ? 'Where you are' : 'LS1 4DY'}
          maxLength={20}
          autoCapitalize="characters"
        />
        {/* In line with the field, below its label. */}
        {position ? (
          <Button variant="secondary" className="mt-6" onClick={() => onPosition(undefined)}>
            <X aria-hidden="true" />
            Not here
          </Button>
        ) : (
          <Button variant="secondary" className="mt-6" busy={browser.locating} onClick={ask}>
            {!browser.locating && <LocateFixed aria-hidden="true" />}
            Where I am
          </Button>
        )}
      </div>
      <p role="status" className="text-sm text-muted empty:hidden">
        {position ? 'It is where you are now.' : browser.error}
      </p>
    </div>
  );
}

interface HolderProps {
  holderId: number | undefined;
  error: string | undefined;
  onChange: (holderId: number | undefined) => void;
}

/** Administrators add for anyone. */
function Holder({ holderId, error, onChange }: HolderProps) {
  const viewer = useViewer();
  const assignees = useAssignees();
  const others = assignees.data?.filter(({ id }) => id !== viewer.id) ?? [];
  return (
    <SelectField
      label="Lead of"
      name="holderId"
      value={holderId ?? ''}
      options={[
        { value: '', label: 'Me' },
        ...others.map(({ id, fullName, username }) => ({ value: String(id), label: fullName || username })),
      ]}
      error={error ?? (assignees.isError ? 'The users could not be loaded' : undefined)}
      onRetry={assignees.isError ? () => void assignees.refetch() : undefined}
      onChange={({ target }) => onChange(target.value ? Number(target.value) : undefined)}
    />
  );
}
