import { Notice } from '#web/kit/ui/Notice.tsx';

/** Above a manager's list of the team. */
export function TeamNotice({ onLeave }: { onLeave: () => void }) {
  return (
    <Notice>
      The leads of the team: you can read and reassign them. Only the holder of a lead and admins can change it.{' '}
      <button type="button" onClick={onLeave} className="hit-area font-semibold underline underline-offset-2">
        Show my own leads
      </button>
    </Notice>
  );
}
