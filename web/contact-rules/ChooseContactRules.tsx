import { Link } from 'wouter';
import { useViewer } from '#web/auth/session.data.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { linkClass } from '#web/kit/ui/SafeLink.tsx';
import { useChangeTeamSettings, useTeamSettingsQuery } from '#web/settings/settings.data.ts';

/** For administrators, until one of them has chosen what happens where somebody asked not to be contacted. */
export function ChooseContactRules() {
  const { role } = useViewer();
  const { data } = useTeamSettingsQuery();
  const change = useChangeTeamSettings();
  if (role !== 'admin' || data?.changes.contactRules !== null) return null;
  return (
    <Notice>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-72">
          Where somebody asked not to be contacted, Highstreet warns before a call or an e-mail. You can also have it
          refuse them, in the{' '}
          <Link href="/settings#contact-rules" className={linkClass}>
            contact rules
          </Link>
          .
        </p>
        <Button
          variant="secondary"
          size="sm"
          busy={change.isPending}
          onClick={() => change.mutate({ contactRules: { mode: 'warn' } })}
        >
          Keep warning
        </Button>
      </div>
    </Notice>
  );
}
