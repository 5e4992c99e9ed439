import './zod-without-eval.ts';
import '#web/kit/style/tokens.css';
import '#web/kit/style/print.css';
import { createRoot } from 'react-dom/client';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { claimLinkToken } from '#web/auth/link-token.ts';
import { endSession, replaceSession } from '#web/auth/session.data.ts';
import { App } from './App.tsx';
import { getShownViewerId, refetch } from './kit/api.ts';
import { hasUnlockedUser } from './kit/device/device.ts';
import { createQueries } from './kit/queries.ts';
import { toast, toasts } from './kit/toasts.ts';
import { holdInstallPrompt } from './phone/install-prompt.ts';

claimLinkToken();
holdInstallPrompt();

const queries = createQueries({
  toast,
  onSignedOut: (queries) => endSession(queries, 'ended'),
  onSessionChanged: replaceSession,
  // The settings say from when on.
  onFactorRequired: (queries) => void refetch(queries, getSettings),
  findKept: async (queryKey) =>
    hasUnlockedUser() ? (await import('#web/offline/find-kept.ts')).findKept(queryKey, getShownViewerId()) : undefined,
});
const root = document.getElementById('app');
if (!root) throw new Error('index.html has no element with the id "app"');
createRoot(root).render(<App queries={queries} toasts={toasts} />);
