import type { Viewer } from '#contract/users/user.ts';

interface Counted {
  district: string;
  type: string | undefined;
  person: number | undefined;
}

/** The list of the leads that were counted: closed ones and existing customers included. */
export function leadsPath(viewer: Viewer, { district, type, person }: Counted): string {
  const params = new URLSearchParams({ district, ...(type && { types: type }), hideClosed: 'false', existing: 'true' });
  if (viewer.role === 'manager' && person !== viewer.id) params.set('team', 'true');
  if (viewer.role !== 'user' && person !== undefined && person !== viewer.id) params.set('user', String(person));
  if (viewer.role === 'admin' && person === viewer.id) params.set('user', String(person));
  return `/crm?${params}`;
}

/** A search around the district, without the businesses that are leads. */
export function searchPath(district: string, type: string | undefined): string {
  const params = new URLSearchParams({ ...(type && { type }), location: district, ...(type && { hideLeads: 'true' }) });
  return `/search?${params}`;
}
