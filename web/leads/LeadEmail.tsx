import type { LeadBusiness } from '#contract/leads/lead.ts';
import { CheckedLink } from '#web/contact-rules/CheckedLink.tsx';

interface Props {
  business: Pick<LeadBusiness, 'objections'>;
  email: string;
  className?: string | undefined;
}

/** The e-mail address of a lead. */
export const LeadEmail = ({ business: { objections }, email, className }: Props) => (
  <CheckedLink means="email" to={email} objections={objections} className={className} />
);
