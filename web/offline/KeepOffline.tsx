import { useEffect } from 'react';
import { useViewer } from '#web/auth/session.data.ts';
import { followDeviceKey } from './device-key.ts';

/** Keeps on this device what its user needs without a network. */
export function KeepOffline() {
  const { id } = useViewer();
  useEffect(() => followDeviceKey(id), [id]);
  return null;
}
