import type { LeadBusiness } from '#contract/leads/lead.ts';

export const GUESSED = 'Guessed from the name';

/** The type of a business; a guessed one ends with a mark. Nothing where it is not known. */
export const TypeOfBusiness = ({ business: { type, typeGuessed } }: { business: LeadBusiness }) =>
  type &&
  (typeGuessed ? (
    <span title={GUESSED}>
      {type}
      <span aria-hidden="true" className="text-muted">
        ?
      </span>
      <span className="sr-only"> ({GUESSED.toLowerCase()})</span>
    </span>
  ) : (
    <span>{type}</span>
  ));
