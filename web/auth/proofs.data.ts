import { useQuery } from '@tanstack/react-query';
import { getProofs } from '#contract/account/proof.calls.ts';
import { read } from '#web/kit/api.ts';

/** How the viewer can prove again who they are. */
export const useProofs = () => useQuery({ ...read(getProofs), refetchOnMount: 'always' });

/** False for users who sign in with passkeys only: a form that asks for the password leaves it out for them. */
export const useHasPassword = () => useProofs().data?.password ?? true;
