import type { AuditRecord } from '#contract/audit/audit.ts';
import { DELETED_USER } from '#contract/leads/lead.ts';

/** With the id, because only it tells two deleted accounts apart. */
export const formatDeletedUser = (id: number) => `${DELETED_USER} ${id}`;

export const formatActor = ({ id, username, fullName }: NonNullable<AuditRecord['actor']>) =>
  username === DELETED_USER ? formatDeletedUser(id) : fullName || username;
