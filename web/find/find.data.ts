import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { FIND_MIN_LENGTH, find } from '#contract/find/find.calls.ts';
import { read } from '#web/kit/api.ts';
import { getUserItem, setUserItem } from '#web/kit/user-storage.ts';
import { collectTyped, takeTyped } from './type-ahead.ts';

/** What is found for the text; the previous results stay while the next ones load. */
export function useFind(text: string) {
  const q = text.trim();
  return useQuery({
    ...read(find, { query: { q } }),
    enabled: q.length >= FIND_MIN_LENGTH,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
}

type OpenDialog = { name: 'find'; text: string } | { name: 'shortcuts' } | undefined;

let openDialog: OpenDialog;
const listeners = new Set<() => void>();

function show(dialog: OpenDialog) {
  openDialog = dialog;
  for (const listener of listeners) listener();
}

/** Opens the palette, with a text to search for. */
export function openFind(text = '') {
  collectTyped(closeDialog);
  show({ name: 'find', text });
}
export const openShortcuts = () => show({ name: 'shortcuts' });

export function closeDialog() {
  takeTyped();
  show(undefined);
}

export const useOpenDialog = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => openDialog,
  );

const RECENT_KEY = 'recent-leads';
const MAX_RECENT = 8;

/** The uuids of the leads that this user opened last, the latest first. No names are stored in a browser. */
export const readRecentLeads = (userId: number): string[] =>
  z.array(z.string()).max(MAX_RECENT).catch([]).parse(getUserItem(userId, RECENT_KEY));

export function addRecentLead(userId: number, uuid: string) {
  const others = readRecentLeads(userId).filter((other) => other !== uuid);
  setUserItem(userId, RECENT_KEY, [uuid, ...others].slice(0, MAX_RECENT));
}

/** For a lead that is gone or not the viewer's any more. */
export function removeRecentLead(userId: number, uuid: string) {
  const others = readRecentLeads(userId).filter((other) => other !== uuid);
  setUserItem(userId, RECENT_KEY, others);
}
