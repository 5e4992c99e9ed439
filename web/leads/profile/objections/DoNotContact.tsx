import { Ban } from 'lucide-react';
import { useState } from 'react';
import type { Objection } from '#contract/contact-rules/objection.ts';
import type { LeadBusiness } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { WHO_LIFTS } from '#web/contact-rules/describe-objection.ts';
import { LiftObjectionDialog } from '#web/contact-rules/LiftObjectionDialog.tsx';
import { ObjectionText } from '#web/contact-rules/ObjectionText.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { useLeadObjections } from './objections.data.ts';
import { RecordObjectionDialog } from './RecordObjectionDialog.tsx';

interface Props {
  leadRef: LeadRef;
  business: LeadBusiness;
  mayChange: boolean;
}

/** What somebody at this business asked us not to do, and how that is recorded. */
export function DoNotContact({ leadRef, business: { name, objections = [] }, mayChange }: Props) {
  const [recording, setRecording] = useState(false);
  if (!mayChange && objections.length === 0) return null;
  return (
    <div className="mb-3 flex flex-col items-start gap-2">
      {objections.length > 0 && <Recorded leadRef={leadRef} />}
      {mayChange && (
        <Button variant="link" size="sm" className="-ml-3" onClick={() => setRecording(true)}>
          <Ban aria-hidden="true" />
          Record an objection
        </Button>
      )}
      {recording && <RecordObjectionDialog leadRef={leadRef} name={name} onClose={() => setRecording(false)} />}
    </div>
  );
}

function Recorded({ leadRef }: { leadRef: LeadRef }) {
  const { data, isPending, refetch } = useLeadObjections(leadRef);
  const [lifting, setLifting] = useState<Objection>();
  const mayLift = useViewer().role === 'admin';
  if (isPending) return <Loading label="Loading the objections…" />;
  if (!data) return <LoadError onRetry={() => void refetch()}>The objections could not be loaded.</LoadError>;
  return (
    <section
      aria-label="Do not contact"
      className="flex w-full flex-col gap-3 rounded-md border border-line bg-sunken p-3"
    >
      <ul aria-label="Objections" className="flex flex-col gap-3">
        {data.objections.map((objection) => (
          <li key={objection.id} className="flex flex-col items-start gap-1">
            <ObjectionText objection={objection} />
            {mayLift && !objection.lifted && (
              <Button variant="link" size="sm" className="-ml-3" onClick={() => setLifting(objection)}>
                Lift…
              </Button>
            )}
          </li>
        ))}
      </ul>
      {!mayLift && <p className="text-sm text-muted">{WHO_LIFTS}</p>}
      {lifting && <LiftObjectionDialog objection={lifting} onClose={() => setLifting(undefined)} />}
    </section>
  );
}
