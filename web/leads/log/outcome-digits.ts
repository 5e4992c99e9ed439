import {
  type ActivityOutcome,
  activityOutcome,
  type OutcomeRules,
  OWN_OUTCOMES,
  STANDARD_OUTCOMES,
} from '#contract/leads/log/outcomes.ts';
import { type CommandName, OUTCOME_COMMANDS } from '#web/commands/commands.ts';

/** The outcomes that the team offers, in the order of their buttons. */
export const listOffered = (rules: OutcomeRules): ActivityOutcome[] =>
  activityOutcome.options.filter((outcome) => rules[outcome].offered);

interface Digit {
  /** 1 to 9, and 0 for the tenth. */
  key: string;
  /** The command with this key. */
  command: CommandName;
  outcome: ActivityOutcome;
}

/**
 * The digits of the offered outcomes. People know them by heart: each of the standard ones has its own. One of the team has that
 * of a standard one that is not offered, as long as there are any.
 */
export function listDigits(rules: OutcomeRules): Digit[] {
  const own = OWN_OUTCOMES.filter((outcome) => rules[outcome].offered);
  return STANDARD_OUTCOMES.flatMap((standard, index) => {
    const outcome = rules[standard].offered ? standard : own.shift();
    return outcome ? [{ key: String((index + 1) % 10), command: OUTCOME_COMMANDS[standard], outcome }] : [];
  });
}
