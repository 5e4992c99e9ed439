import { CircleAlert, UserLock } from 'lucide-react';
import { ApiError } from '#web/kit/api.ts';
import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { TextareaField } from '#web/kit/ui/forms/Input.tsx';
import { PageTitle } from '#web/kit/ui/Page.tsx';

interface Props {
  error: Error;
  /** Text that can no longer be saved. */
  unsavedText: string | undefined;
  onRetry: () => void;
}

export function LeadUnavailable({ error, unsavedText, onRetry }: Props) {
  const heldByAnother = (error instanceof ApiError && error.status === 403) || /permission/i.test(error.message);
  const Icon = heldByAnother ? UserLock : CircleAlert;
  return (
    <Card className="mx-auto mt-4 flex max-w-xl flex-col items-center gap-3 py-10 text-center">
      <Icon aria-hidden="true" className="size-8 text-awning-text" />
      <PageTitle>{heldByAnother ? 'Customer Assigned to Another User' : 'Unable to Load Customer'}</PageTitle>
      <p className="max-w-prose text-balance break-words text-muted">
        {heldByAnother
          ? 'This business is assigned to another user. Please ask the current holder or an admin for reassignment.'
          : error.message}
      </p>
      {unsavedText && <UnsavedText text={unsavedText} />}
      <div className="mt-3 flex flex-wrap justify-center gap-2">
        {!heldByAnother && (
          <Button variant="secondary" onClick={onRetry}>
            Try Again
          </Button>
        )}
        <ButtonLink href="/crm">Back to CRM Dashboard</ButtonLink>
      </div>
    </Card>
  );
}

function UnsavedText({ text }: { text: string }) {
  return (
    <TextareaField
      className="w-full text-left"
      label="Your unsaved notes"
      hint="They were not saved. Copy them if you still need them."
      readOnly
      rows={5}
      value={text}
    />
  );
}
