import type { LeadStatus } from '#contract/leads/lead.ts';

interface StatusPin {
  colour: string;
  /** In the pin, for those who cannot tell the colours apart. */
  letter: string;
}

/** How the map marks a lead of each status. */
export const STATUS_PIN: Record<LeadStatus, StatusPin> = {
  new: { colour: 'var(--color-pin-new)', letter: 'N' },
  in_progress: { colour: 'var(--color-pin-progress)', letter: 'I' },
  recontact: { colour: 'var(--color-pin-recontact)', letter: 'R' },
  qualified: { colour: 'var(--color-pin-advanced)', letter: 'Q' },
  proposal: { colour: 'var(--color-pin-advanced)', letter: 'P' },
  negotiation: { colour: 'var(--color-pin-advanced)', letter: 'G' },
  closed_won: { colour: 'var(--color-pin-won)', letter: 'W' },
  closed_lost: { colour: 'var(--color-pin-lost)', letter: 'L' },
};
