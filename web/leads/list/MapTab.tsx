import type { ReactNode } from 'react';
import type { LeadPage } from '#contract/leads/lead-lists.calls.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useLeadPoints } from './list.data.ts';
import type { ListState } from './list-state.ts';
import { MapView } from './MapView.tsx';

/** All that was found on the map, and the page of it that is listed beside the map. */
export function MapTab({ state, found, footer }: { state: ListState; found: LeadPage; footer: ReactNode }) {
  const points = useLeadPoints(state, useViewer());
  return (
    <div className="flex flex-col gap-4">
      <MapView points={points} items={found.items} />
      {points.data && points.data.points.length > 0 && footer}
    </div>
  );
}
