import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { TokenList } from './TokenList.tsx';
import { useEndTeamToken, useTeamTokens } from './tokens.data.ts';

/** The tokens of all users, for administrators. */
export function TeamPrograms() {
  const tokens = useTeamTokens();
  const end = useEndTeamToken();
  return (
    <Card id="programs">
      <CardTitle>Programs</CardTitle>
      <div className="flex flex-col items-start gap-4">
        <p className="max-w-3xl text-sm text-muted">
          The tokens with which programs make requests for users of your team. Users make them on the page of their
          account. They end with the account, and when it is deactivated.
        </p>
        {tokens.isPending && <Loading label="Loading the tokens…" />}
        {tokens.isError && !tokens.data && (
          <LoadError onRetry={() => void tokens.refetch()}>The tokens could not be loaded.</LoadError>
        )}
        {tokens.data && (
          <TokenList
            label="Tokens of the team"
            items={tokens.data.map(({ user, ...token }) => ({ token, userName: user.fullName || user.username }))}
            end={end}
          />
        )}
      </div>
    </Card>
  );
}
