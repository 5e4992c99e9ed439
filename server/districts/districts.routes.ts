import { listDistricts } from '#contract/districts/districts.calls.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { UK_DISTRICTS } from '#server/places/uk-districts.ts';

const WEEK_SECONDS = 7 * 24 * 60 * 60;

export function districtRoutes(app: App, { guard }: Deps) {
  serve(app, guard, listDistricts, async ({ reply }) => {
    reply.header('cache-control', `private, max-age=${WEEK_SECONDS}`);
    return [...UK_DISTRICTS];
  });
}
