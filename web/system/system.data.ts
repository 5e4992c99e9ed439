import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Body } from '#contract/call.ts';
import { downloadBackup, getSystem, startBackup } from '#contract/system/system.calls.ts';
import { read, refetch, request, send } from '#web/kit/api.ts';
import { readFileName, saveFile } from '#web/kit/files/save-file.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';

const POLL_MS = 30_000;
/** While a backup is being made. */
const BACKUP_POLL_MS = 2_000;

export const useSystem = () =>
  useQuery({
    ...read(getSystem),
    ...refetchOnReturn,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.backups.running ? BACKUP_POLL_MS : POLL_MS),
  });

export function useStartBackup() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send(startBackup),
    onSettled: () => refetch(queries, getSystem),
    meta: {
      success: { title: 'Backup started', description: 'It goes on if you leave this page.' },
      errorTitle: 'Backup not started',
    },
  });
}

/** Downloads the file of a backup. Leaving the dialog aborts it. */
export function useDownloadBackup(backupId: string) {
  const aborting = useRef<AbortController>(undefined);
  useEffect(() => () => aborting.current?.abort(), []);
  return useMutation({
    mutationFn: async (body: Body<typeof downloadBackup>) => {
      aborting.current = new AbortController();
      const { signal } = aborting.current;
      const response = await request(downloadBackup, { params: { backupId }, body }, { signal });
      const file = await response.blob();
      signal.throwIfAborted();
      const name = readFileName(response) ?? 'highstreet.backup';
      saveFile(name, file);
      return name;
    },
    meta: {
      success: (name: string) => ({ title: 'Backup downloaded', description: `The file is called ${name}.` }),
      errorTitle: 'Download failed',
      fallbackMessage: 'The connection was lost. Nothing was saved; please try again.',
    },
  });
}
