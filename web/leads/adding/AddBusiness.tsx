import { useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { newBusiness } from '#contract/leads/adding/adding.calls.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useUnlockedDrafts } from '#web/auth/unlocked-drafts.ts';
import { ApiError } from '#web/kit/api.ts';
import { firstErrors, focusFirstInvalid } from '#web/kit/form.tsx';
import { isKept } from '#web/kit/outbox/kept.ts';
import { useDraftKeptToast } from '#web/kit/storage/draft-kept.ts';
import { deleteDraft } from '#web/kit/storage/drafts.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { Sheet } from '#web/kit/ui/overlays/Sheet.tsx';
import { profilePath } from '#web/leads/lead-links.ts';
import { NextStepChoice, useNextOptions } from '#web/leads/log/NextStepChoice.tsx';
import { useOwnFieldsQuery } from '#web/settings/own-fields.data.ts';
import { useAddLead, useLookAlikes, useTakeLead } from './adding.data.ts';
import { ADDING_DRAFT, type TypedBusiness, useAddingDraft } from './adding-draft.ts';
import { BusinessFields } from './BusinessFields.tsx';
import { LookAlikes } from './LookAlikes.tsx';
import { OwnFormFields } from './OwnFormFields.tsx';
import { listLeftOver, readOwnTexts, toErrorName } from './own-texts.ts';

interface Props {
  /** Whether the page was loaded to ask where the user is. */
  locate: boolean;
  onClose: () => void;
}

/** A business is added by hand: what is typed stays a draft until it is saved. */
export function AddBusiness({ locate, onClose }: Props) {
  const viewer = useViewer();
  const ready = useUnlockedDrafts(viewer.id);
  const content = useRef<HTMLDivElement>(null);
  useDraftKeptToast(viewer.id, ADDING_DRAFT, 'What you typed is kept in this tab until the business is added.');
  return (
    <Sheet
      title="Add business"
      description="It becomes a lead. Only the name is needed."
      initialFocus={() => content.current?.querySelector('input')}
      onClose={onClose}
    >
      <div ref={content}>{ready ? <AddForm locate={locate} onClose={onClose} /> : <Loading label="Loading…" />}</div>
    </Sheet>
  );
}

function AddForm({ locate, onClose }: Props) {
  const viewer = useViewer();
  const [, navigate] = useLocation();
  const { values, change } = useAddingDraft(viewer.id);
  const ownFields = useOwnFieldsQuery().data?.fields;
  const [errors, setErrors] = useState<ReturnType<typeof firstErrors>>({});
  const add = useAddLead(viewer.id);
  const take = useTakeLead();
  const found = useLookAlikes(values);
  // Letters are typed here, and choose nothing.
  const times = useNextOptions()?.flatMap((option) => (option.choice === 'proposed' ? [] : [{ ...option, key: '' }]));
  const formId = useId();

  const open = (lead: Lead) => {
    onClose();
    // One that waits has no profile yet.
    if (!isKept(lead)) navigate(profilePath({ userBusiness: lead }));
  };
  const save = () => {
    if (add.isPending || take.isPending) return;
    const own = readOwnTexts(ownFields, values.ownFields);
    const body = toBody(values, own.values, listLeftOver(ownFields, values.ownFields));
    const parsed = newBusiness.safeParse(body);
    const issues = [...(parsed.error?.issues ?? []), ...own.issues];
    if (issues.length) return showErrors(issues);
    setErrors({});
    add.mutate(body, {
      onSuccess: open,
      onError: (error) => error instanceof ApiError && showErrors(error.errors),
    });
  };
  const clearError = (name = '') => setErrors(({ [name]: _, ...others }) => others);
  function showErrors(issues: Parameters<typeof firstErrors>[0]) {
    const next = firstErrors(issues);
    setErrors(next);
    const form = document.getElementById(formId);
    if (form instanceof HTMLFormElement) focusFirstInvalid(form, next);
  }

  return (
    <div className="flex flex-col gap-4">
      <form
        id={formId}
        noValidate
        // A field that takes the focus is not below the buttons.
        className="flex flex-col gap-4 [&_:is(input,textarea,select)]:scroll-mb-32"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <BusinessFields
          values={values}
          errors={errors}
          locate={locate}
          onChange={(part) => {
            clearError(Object.keys(part)[0]);
            change(part);
          }}
        >
          <LookAlikes
            found={found}
            taking={take.isPending ? take.variables.businessId : undefined}
            onTake={({ businessId }) =>
              take.mutate(
                { businessId },
                {
                  onSuccess: (lead) => {
                    deleteDraft(viewer.id, ADDING_DRAFT);
                    open(lead);
                  },
                },
              )
            }
            onOpen={(uuid) => {
              onClose();
              navigate(`/business/uuid/${uuid}`);
            }}
          />
        </BusinessFields>
        <OwnFormFields
          fields={ownFields}
          texts={values.ownFields}
          errors={errors}
          onChange={({ id, name }, text, value) => {
            clearError(toErrorName(id));
            const { [id]: _, ...others } = values.ownFields;
            change({ ownFields: text ? { ...others, [id]: { name, text, value } } : others });
          }}
        />
      </form>
      <div className="flex flex-col gap-2">
        <p className="text-sm font-medium">Follow-up</p>
        <NextStepChoice
          options={times}
          choice={values.followUpAt ? { at: values.followUpAt } : 'nothing'}
          onChoose={(choice) => change({ followUpAt: typeof choice === 'object' ? choice.at : undefined })}
        />
      </div>
      {/* In reach whatever is scrolled to; it covers the padding of the sheet. */}
      <div className="sticky bottom-[calc(--spacing(-5)-env(safe-area-inset-bottom))] -mx-5 mb-[calc(--spacing(-5)-env(safe-area-inset-bottom))] flex justify-end gap-2 border-t border-line bg-raised px-5 pt-3 pb-[calc(--spacing(3)+env(safe-area-inset-bottom))] sm:-bottom-6 sm:-mx-6 sm:-mb-6 sm:px-6">
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" form={formId} busy={add.isPending} className="max-sm:grow">
          Add business
        </Button>
      </div>
    </div>
  );
}

type LeftOver = ReturnType<typeof listLeftOver>;

/** What was typed for fields that are gone becomes part of the note. */
const toBody = (
  { position, followUpAt, holderId, ownFields: _, ...texts }: TypedBusiness,
  ownFields: Record<string, OwnValue>,
  leftOver: LeftOver,
) => ({
  ...texts,
  notes: [texts.notes, ...leftOver.map(({ name, text }) => `${name}: ${text}`)].filter(Boolean).join('\n'),
  ...(Object.keys(ownFields).length > 0 && { ownFields }),
  ...(position && { position }),
  ...(followUpAt && { followUp: { at: followUpAt } }),
  ...(holderId !== undefined && { holderId }),
});
