import './zod-without-eval.ts';
import './kit/tokens.css';
import { createRoot } from 'react-dom/client';
import { claimResetToken } from '#web/auth/reset-token.ts';
import { endSession, replaceSession } from '#web/auth/session.data.ts';
import { App } from './App.tsx';
import { createQueries } from './kit/queries.ts';
import { toast, toasts } from './kit/toasts.ts';

claimResetToken();

const queries = createQueries({
  toast,
  onSignedOut: (queries) => endSession(queries, 'ended'),
  onSessionChanged: replaceSession,
});
const place = document.getElementById('app');
if (!place) throw new Error('index.html has no place for the app');
createRoot(place).render(<App queries={queries} toasts={toasts} />);
