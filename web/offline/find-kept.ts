import type { QueryKey } from '@tanstack/react-query';
import { getFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { getLead } from '#contract/leads/leads.calls.ts';
import { findUnlockedUser } from '#web/kit/device/device.ts';
import type { FindKept } from '#web/kit/device/device-fallback.ts';
import { type DeviceStore, openDevice } from '#web/kit/device/device-store.ts';
import { findKeptRead } from './kept-reads.ts';
import { findPocketLead } from './pocket.ts';

/** What this device keeps of a read, for the viewer; at a start without a network, for who was signed in last. */
export async function findKept(queryKey: QueryKey, viewerId: number | undefined): ReturnType<FindKept> {
  const userId = viewerId ?? (await findUnlockedUser());
  const device = userId === undefined ? undefined : await openDevice(userId);
  return device && ((await findKeptRead(device, queryKey)) ?? (await findKeptLead(device, queryKey)) ?? null);
}

const PROFILE: unknown[] = [getLead.byId.path, getLead.byUuid.path];
const FOLLOW_UP: unknown[] = [getFollowUp.byId.path, getFollowUp.byUuid.path];

async function findKeptLead(device: DeviceStore, [path, leadRef]: QueryKey) {
  const isProfile = PROFILE.includes(path);
  if (!isProfile && !FOLLOW_UP.includes(path)) return undefined;
  const lead = await findPocketLead(device, leadRef as { id?: number; uuid?: string });
  return lead && { data: isProfile ? lead.profile : { followUp: lead.followUp }, at: lead.at };
}
