import { useState } from 'react';
import { MAX_TOKENS } from '#contract/tokens/token.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { NewTokenDialog } from './NewTokenDialog.tsx';
import { TokenList } from './TokenList.tsx';
import { useEndToken, useTokens } from './tokens.data.ts';

/** The viewer's own tokens for programs. */
export function ProgramsCard() {
  const tokens = useTokens();
  const end = useEndToken();
  const [making, setMaking] = useState(false);
  return (
    <Card id="programs">
      <CardTitle>Programs</CardTitle>
      <div className="flex flex-col items-start gap-4">
        <p className="text-sm text-muted">
          With a token, a program of yours works with Highstreet for you: n8n, a script, a spreadsheet. It may never do
          more than you may, and what it changes carries its name. What it can call is described on{' '}
          <a href="/api/docs" className="font-medium text-pine-text underline underline-offset-2">
            the page of the API
          </a>
          .
        </p>
        {tokens.isPending && <Loading label="Loading your tokens…" />}
        {tokens.isError && !tokens.data && (
          <LoadError onRetry={() => void tokens.refetch()}>Your tokens could not be loaded.</LoadError>
        )}
        {tokens.data && <TokenList label="Tokens" items={tokens.data.map((token) => ({ token }))} end={end} />}
        {tokens.data && (
          <Button variant="secondary" disabled={tokens.data.length >= MAX_TOKENS} onClick={() => setMaking(true)}>
            Make a token
          </Button>
        )}
      </div>
      {making && <NewTokenDialog onClose={() => setMaking(false)} />}
    </Card>
  );
}
