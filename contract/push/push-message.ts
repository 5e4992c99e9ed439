import { z } from 'zod';
import type { NotificationType } from '../notifications/notifications.calls.ts';

/** What a person can be told of while Highstreet is closed. */
export const pushKind = z.enum(['follow_up_due', 'lead_assigned', 'lead_comment', 'import_finished']);
export type PushKind = z.infer<typeof pushKind>;
export const PUSH_KINDS = pushKind.options;

export const PUSH_KIND_LABEL: Record<PushKind, string> = {
  follow_up_due: 'A follow-up is due',
  lead_assigned: 'Leads are assigned to me',
  lead_comment: 'A lead has a new comment',
  import_finished: 'An import has finished',
};

/** The others stay in the bell. */
const KIND_OF: Partial<Record<NotificationType, PushKind>> = {
  follow_up_due: 'follow_up_due',
  lead_assigned: 'lead_assigned',
  lead_reassigned_to: 'lead_assigned',
  lead_comment: 'lead_comment',
  import_finished: 'import_finished',
};
export const toPushKind = (type: NotificationType): PushKind | undefined => KIND_OF[type];

/** What the service worker shows. */
export const pushMessage = z.strictObject({
  title: z.string(),
  body: z.string(),
  /** The path that a press on it opens. */
  path: z.string(),
  /** A later one of the same tag takes its place. */
  tag: z.string(),
});
export type PushMessage = z.infer<typeof pushMessage>;

export interface PushedNotification {
  id: number;
  kind: PushKind;
  title: string;
  message: string;
  path: string;
}

/** Texts without the name of a business or a person: a lock screen shows them to anyone. */
const PLAIN_BODY: Record<PushKind, string> = {
  follow_up_due: 'A follow-up is due',
  lead_assigned: 'You have new leads',
  lead_comment: 'There is a new comment on a lead',
  import_finished: 'Your import has finished',
};
const COUNTED: Record<PushKind, [one: string, many: string]> = {
  follow_up_due: ['follow-up due', 'follow-ups due'],
  lead_assigned: ['assignment of leads', 'assignments of leads'],
  lead_comment: ['comment', 'comments'],
  import_finished: ['import finished', 'imports finished'],
};
const MAX_BODY = 300;

/** One message for all that a person is to be told now. `details`: whether it may say whom and what it is about. */
export function toPushMessage(all: [PushedNotification, ...PushedNotification[]], details: boolean): PushMessage {
  const [first] = all;
  if (all.length > 1) {
    return { title: 'Highstreet', body: countKinds(all), path: '/today', tag: 'highstreet-several' };
  }
  const { id, kind, title, message, path } = first;
  const text = details ? { title, body: shorten(message) } : { title: 'Highstreet', body: PLAIN_BODY[kind] };
  return { ...text, path, tag: `highstreet-${id}` };
}

const countKinds = (all: PushedNotification[]) =>
  PUSH_KINDS.flatMap((kind) => {
    const count = all.filter((each) => each.kind === kind).length;
    return count ? `${count} ${COUNTED[kind][count === 1 ? 0 : 1]}` : [];
  }).join(', ');

function shorten(text: string): string {
  const characters = [...text];
  return characters.length > MAX_BODY ? `${characters.slice(0, MAX_BODY - 1).join('')}…` : text;
}
