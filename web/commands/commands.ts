import { useEffect, useRef } from 'react';
import type { LeadStatus } from '#contract/leads/lead.ts';
import { DEFAULT_OUTCOMES, STANDARD_OUTCOMES } from '#contract/leads/log/outcomes.ts';
import type { Role } from '#contract/users/user.ts';

export const COMMAND_GROUPS = ['Anywhere', 'Go to', 'On a lead', 'In a list of leads'] as const;

interface Command {
  label: string;
  group: (typeof COMMAND_GROUPS)[number];
  /** In the notation of tinykeys; each of them runs the command. */
  keys: readonly string[];
  /** The least role that has this command; every user by default. */
  role?: Exclude<Role, 'user'>;
  /** Other words by which the palette finds it. */
  keywords?: string;
  /** Left out of the palette: it acts on the focused element, or is the palette. */
  keysOnly?: true;
  /** It changes something or calls at once: the palette never preselects it. */
  atOnce?: true;
}

type StandardOutcome = (typeof STANDARD_OUTCOMES)[number];

/** In the order of their digits: 1 to 9, and 0 for the tenth. */
const outcomeCommands = STANDARD_OUTCOMES.map((outcome, index): [string, Command] => [
  `log_${outcome}`,
  {
    label: `Log “${DEFAULT_OUTCOMES[outcome].label}”, while working through leads or on a trip`,
    group: 'On a lead',
    keys: [String((index + 1) % 10)],
    keysOnly: true,
  },
]);

/** Every command with its keys: the one table for the keyboard, the palette and the "Keyboard shortcuts" dialog. */
const TABLE = {
  find: { label: 'Find anything', group: 'Anywhere', keys: ['$mod+k', '/'], keysOnly: true },
  showShortcuts: { label: 'Keyboard shortcuts', group: 'Anywhere', keys: ['Shift+?'], keywords: 'keys help' },
  addBusiness: { label: 'Add business', group: 'Anywhere', keys: ['a'], keywords: 'shop by hand create' },
  undo: { label: 'Undo, while its message is shown', group: 'Anywhere', keys: ['z'], keysOnly: true },
  themeSystem: { label: 'Theme: System', group: 'Anywhere', keys: [], keywords: 'colours automatic' },
  themeLight: { label: 'Theme: Light', group: 'Anywhere', keys: [], keywords: 'colours day' },
  themeDark: { label: 'Theme: Dark', group: 'Anywhere', keys: [], keywords: 'colours night' },
  logOut: { label: 'Log out', group: 'Anywhere', keys: [], keywords: 'logout sign out', atOnce: true },

  goToToday: { label: 'Today', group: 'Go to', keys: ['g t'], keywords: 'due follow-ups day' },
  goToTrip: { label: 'Open your trip', group: 'Go to', keys: [], keywords: 'stops visits route tour map' },
  goToLeads: { label: 'Leads', group: 'Go to', keys: ['g l'], keywords: 'crm dashboard list' },
  goToSearch: { label: 'Search', group: 'Go to', keys: ['g s'], keywords: 'businesses places' },
  goToCoverage: { label: 'Coverage', group: 'Go to', keys: ['g v'], keywords: 'map districts postcodes areas' },
  goToProgress: { label: 'Progress', group: 'Go to', keys: ['g p'], role: 'manager', keywords: 'team goals' },
  goToReports: { label: 'Reports', group: 'Go to', keys: ['g r'], keywords: 'funnel won lost figures' },
  goToImport: {
    label: 'Import',
    group: 'Go to',
    keys: ['g i'],
    role: 'admin',
    keywords: 'businesses csv excel upload',
  },
  goToUsers: { label: 'Users', group: 'Go to', keys: ['g u'], role: 'admin', keywords: 'people accounts' },
  goToObjections: {
    label: 'Do not contact',
    group: 'Go to',
    keys: [],
    role: 'admin',
    keywords: 'objections contact rules',
  },
  goToChanges: { label: 'Recent changes', group: 'Go to', keys: ['g c'], keywords: 'undo history log' },
  goToProposals: { label: 'Proposals', group: 'Go to', keys: [], keywords: 'assistant programs accept decline mcp' },
  goToDuplicates: { label: 'Duplicates', group: 'Go to', keys: ['g d'], role: 'admin', keywords: 'merge twice same' },
  goToSweeps: { label: 'Sweeps', group: 'Go to', keys: [], role: 'admin', keywords: 'search districts areas' },
  goToAudit: { label: 'Audit log', group: 'Go to', keys: ['g a'], role: 'admin', keywords: 'events security sign-ins' },
  goToSystem: {
    label: 'System',
    group: 'Go to',
    keys: [],
    role: 'admin',
    keywords: 'backups health disk jobs version',
  },
  goToSettings: { label: 'Settings', group: 'Go to', keys: [], role: 'admin', keywords: 'team outcomes manage' },
  goToAccount: {
    label: 'Your account',
    group: 'Go to',
    keys: [],
    keywords: 'password e-mail email name sessions reminders calendar notifications theme start',
  },
  goToPhone: {
    label: 'On your phone',
    group: 'Go to',
    keys: [],
    keywords: 'install app home screen offline help mobile',
  },
  goToTerritories: { label: 'Territories', group: 'Go to', keys: [], keywords: 'districts postcodes owners areas' },

  setNew: { label: 'Set status to New Lead', group: 'On a lead', keys: ['1'], atOnce: true },
  setInProgress: { label: 'Set status to In Progress', group: 'On a lead', keys: ['2'], atOnce: true },
  setRecontact: { label: 'Set status to Recontact', group: 'On a lead', keys: ['3'], atOnce: true },
  setClosedWon: { label: 'Set status to Closed (Won)', group: 'On a lead', keys: ['4'], atOnce: true },
  setClosedLost: { label: 'Set status to Closed (Lost)', group: 'On a lead', keys: ['5'], atOnce: true },
  call: { label: 'Call', group: 'On a lead', keys: ['c'], keywords: 'phone ring', atOnce: true },
  logActivity: { label: 'Log a contact', group: 'On a lead', keys: ['l'], keywords: 'activity call outcome' },
  writeNotes: { label: 'Notes', group: 'On a lead', keys: ['n'], keywords: 'write' },
  addTag: { label: 'Add a tag', group: 'On a lead', keys: ['t'], keywords: 'label' },
  reassign: { label: 'Reassign', group: 'On a lead', keys: ['r'], keywords: 'hand over holder' },
  saveAndNext: { label: 'Save & next, while working through leads', group: 'On a lead', keys: ['s'], atOnce: true },
  back: { label: 'Back to where you came from', group: 'On a lead', keys: ['Escape'], keysOnly: true },

  ...(Object.fromEntries(outcomeCommands) as Record<`log_${StandardOutcome}`, Command>),

  nextLead: { label: 'Next lead', group: 'In a list of leads', keys: ['j', 'ArrowDown'], keysOnly: true },
  previousLead: { label: 'Previous lead', group: 'In a list of leads', keys: ['k', 'ArrowUp'], keysOnly: true },
  openFocusedLead: { label: 'Open the lead', group: 'In a list of leads', keys: ['Enter'], keysOnly: true },
  selectLead: { label: 'Select the lead', group: 'In a list of leads', keys: ['x'], keysOnly: true },
  selectRange: { label: 'Select up to here', group: 'In a list of leads', keys: ['Shift+x'], keysOnly: true },
  startWork: {
    label: 'Work through the selected leads, or the first on Today',
    group: 'In a list of leads',
    keys: ['w'],
    keysOnly: true,
  },
  extendDown: { label: 'Extend downwards', group: 'In a list of leads', keys: ['Shift+ArrowDown'], keysOnly: true },
  extendUp: { label: 'Extend upwards', group: 'In a list of leads', keys: ['Shift+ArrowUp'], keysOnly: true },
} satisfies Record<string, Command>;

export type CommandName = keyof typeof TABLE;
export const COMMANDS: Record<CommandName, Command> = TABLE;
export const COMMAND_NAMES = Object.keys(TABLE) as CommandName[];

export const STATUS_COMMANDS: readonly { status: LeadStatus; command: CommandName }[] = [
  { status: 'new', command: 'setNew' },
  { status: 'in_progress', command: 'setInProgress' },
  { status: 'recontact', command: 'setRecontact' },
  { status: 'closed_won', command: 'setClosedWon' },
  { status: 'closed_lost', command: 'setClosedLost' },
];

export const OUTCOME_COMMANDS = Object.fromEntries(
  STANDARD_OUTCOMES.map((outcome) => [outcome, `log_${outcome}`]),
) as Record<StandardOutcome, CommandName>;

/** What a command does now, by a key or from the palette. `false`: nothing, and the browser handles the key. */
type CommandHandler = (event?: KeyboardEvent) => unknown;
export type CommandHandlers = Partial<Record<CommandName, CommandHandler | false | undefined>>;

const mounted: { current: CommandHandlers }[] = [];

/** Offers commands as long as the component is mounted. A value that is no function offers none. */
export function useCommands(handlers: CommandHandlers) {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    mounted.push(latest);
    return () => void mounted.splice(mounted.indexOf(latest), 1);
  }, []);
}

/** The handler of the component that was mounted last; of commands with the same key, only one is offered at a time. */
export function findHandler(...names: CommandName[]): CommandHandler | undefined {
  for (const { current } of [...mounted].reverse()) {
    for (const name of names) if (current[name]) return current[name];
  }
  return undefined;
}

/** The commands that the palette can run on this screen. */
export const availableCommands = () => COMMAND_NAMES.filter((name) => !COMMANDS[name].keysOnly && findHandler(name));

const RANK: Record<Role, number> = { user: 0, manager: 1, admin: 2 };
export const hasCommand = (role: Role, name: CommandName) => RANK[role] >= RANK[COMMANDS[name].role ?? 'user'];
