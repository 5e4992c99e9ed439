import { ShieldAlert } from 'lucide-react';
import { ButtonLink } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { PageTitle } from '#web/kit/ui/Page.tsx';

export function AdminOnlyScreen() {
  return (
    <Card className="mx-auto mt-8 flex max-w-md flex-col items-center gap-3 py-10 text-center">
      <ShieldAlert aria-hidden="true" className="size-8 text-awning-text" />
      <PageTitle>Admin Access Required</PageTitle>
      <p className="text-balance text-muted">You need administrator privileges to access this page.</p>
      <ButtonLink href="/" className="mt-3">
        Return to Home
      </ButtonLink>
    </Card>
  );
}
