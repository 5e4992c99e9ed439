import { useEffect, useState } from 'react';
import { onProofRequired } from '#web/kit/api.ts';
import { lazyComponent } from '#web/kit/lazy.tsx';

const ProofDialog = lazyComponent(async () => (await import('./ProofDialog.tsx')).ProofDialog);

interface Question {
  answer: Promise<boolean>;
  resolve: (proven: boolean) => void;
}

/** Asks users to prove again who they are when a call needs it; the call then goes on. */
export function ProofPrompt() {
  const [question, setQuestion] = useState<Question>();
  useEffect(() => {
    let open: Question | undefined;
    onProofRequired(() => {
      // One question for all calls that wait.
      open ??= ask();
      return open.answer;
    });
    function ask(): Question {
      let end: (proven: boolean) => void = () => {};
      const answer = new Promise<boolean>((resolve) => {
        end = resolve;
      });
      const asked = {
        answer,
        resolve: (proven: boolean) => {
          open = undefined;
          setQuestion(undefined);
          end(proven);
        },
      };
      setQuestion(asked);
      return asked;
    }
    return () => {
      open?.resolve(false);
      onProofRequired(() => Promise.resolve(false));
    };
  }, []);
  if (!question) return null;
  return <ProofDialog onClose={() => question.resolve(false)} onProven={() => question.resolve(true)} />;
}
