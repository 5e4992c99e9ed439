import { useSession } from '#web/auth/session.data.ts';
import { ButtonLink } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Logo } from '#web/kit/ui/Logo.tsx';
import { PageTitle } from '#web/kit/ui/Page.tsx';

/** Signed in, it stands inside the shell; otherwise it is a page of its own. */
export function NotFoundScreen() {
  const { user } = useSession();
  const lost = (
    <Card className="mx-auto mt-8 flex max-w-md flex-col items-center gap-3 py-10 text-center">
      <PageTitle>404 Page Not Found</PageTitle>
      <p className="text-balance text-muted">Did you forget to add the page to the router?</p>
      <ButtonLink href="/" className="mt-3">
        Go to Home
      </ButtonLink>
    </Card>
  );
  if (user) return lost;
  return (
    <main className="flex flex-col items-center px-4 py-12">
      <Logo />
      <div className="w-full">{lost}</div>
    </main>
  );
}
