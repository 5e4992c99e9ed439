import type { Viewer } from '../users/user.ts';

export const BUILT_IN_VIEW_IDS = [
  'my-open-leads',
  'new-today',
  'going-quiet',
  'follow-ups-due',
  'existing-customers',
] as const;
type BuiltInViewId = (typeof BUILT_IN_VIEW_IDS)[number];

interface BuiltInView {
  id: BuiltInViewId;
  name: string;
  settings: Record<string, string>;
}

/** The views that every user has. They cannot be changed, but pinned and duplicated. */
export const builtInViews = (viewer: Viewer): BuiltInView[] => [
  {
    id: 'my-open-leads',
    name: 'My open leads',
    // The lists of other users have their own leads anyway.
    settings: viewer.role === 'admin' ? { user: String(viewer.id) } : {},
  },
  { id: 'new-today', name: 'New today', settings: { assignedFrom: '0d' } },
  { id: 'going-quiet', name: 'Going quiet', settings: { contactedTo: '30d', sort: 'last-contact' } },
  { id: 'follow-ups-due', name: 'Follow-ups due', settings: { followUp: 'due', sort: 'follow-up' } },
  { id: 'existing-customers', name: 'Existing customers', settings: { customers: 'only' } },
];
