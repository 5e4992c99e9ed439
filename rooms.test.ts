import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOMS = ['contract', 'server', 'web', 'e2e', 'scripts'];

/** A file of a room, or a package. */
interface Place {
  path: string;
  room: string;
  /** The folder in the room: "leads" of server/leads/list/lead-page.sql.ts. Undefined for the files directly in the room. */
  feature: string | undefined;
  /** "list" of the same file. */
  part: string | undefined;
  isTest: boolean;
}

const NO_FEATURES = ['kit', 'testing'];
const isFeature = ({ room, feature = 'kit' }: Place) =>
  (room === 'contract' || room === 'server' || room === 'web') && !NO_FEATURES.includes(feature);
/** Rooms of web/leads that the others may use. */
const SHARED_PARTS = ['follow-ups', 'log', 'sharing', 'trip', 'waiting', 'work-queue'];

/** What features of the web have for the others. The rest is their own. */
const PUBLIC: Record<string, string[]> = {
  auth: [
    ...['AuthLayout.tsx', 'session.data.ts', 'settings.data.ts', 'confirm-logout.ts', 'unlocked-drafts.ts'],
    ...['passkeys.ts', 'proofs.data.ts', 'sso.data.ts'],
  ],
  commands: ['commands.ts', 'dialogs.ts'],
  'contact-rules': [
    ...['barrier.ts', 'CheckedLink.tsx', 'ChooseContactRules.tsx', 'describe-objection.ts', 'LiftObjectionDialog.tsx'],
    ...['ObjectionText.tsx', 'PhoneNumber.tsx'],
  ],
  districts: ['districts.data.ts', 'DistrictMap.tsx'],
  duplicates: ['duplicates.data.ts'],
  'first-steps': ['FirstSteps.tsx', 'first-steps.data.ts'],
  leads: [
    ...['leads.data.ts', 'undo.data.ts', 'recent-leads.ts', 'MatchReason.tsx', 'PersonField.tsx'],
    'people.data.ts',
    ...['adding/AddBusiness.tsx', 'adding/add-here.ts', 'adding/TakeLeadButton.tsx', 'adding/UnassignedBusinesses.tsx'],
    ...['sharing/ShareOut.tsx', 'sharing/SharesTable.tsx'],
  ],
  phone: ['InstallOffer.tsx'],
  progress: ['progress.data.ts'],
  reminders: ['browser-reminders.ts', 'KeepPush.tsx', 'ReminderSettings.tsx'],
  settings: ['settings.data.ts', 'own-fields.data.ts'],
  territories: ['assignment.data.ts'],
  tokens: ['ProgramsCard.tsx', 'TeamPrograms.tsx'],
  users: ['users.data.ts'],
  views: ['views.data.ts', 'ViewNameDialog.tsx'],
  webhooks: ['WebhooksCard.tsx'],
};
const publicPaths = Object.entries(PUBLIC).flatMap(([feature, files]) => files.map((file) => `web/${feature}/${file}`));
const isPublic = ({ path }: Place) => publicPaths.includes(path);

/** Who may not import whom, by the reason. */
const RULES: Record<string, (from: Place, to: Place) => boolean> = {
  'The contract knows only itself and zod.': (from, to) =>
    from.room === 'contract' &&
    to.room !== 'contract' &&
    to.path !== 'zod' &&
    !(from.isTest && ['vitest', 'fast-check'].includes(to.path)),
  'The server does not know the web.': (from, to) => from.room === 'server' && to.room === 'web',
  'The web does not know the server.': (from, to) => from.room === 'web' && to.room === 'server',
  'A story knows the product through HTTP and the browser only.': (from, to) =>
    from.room === 'e2e' && (to.room === 'server' || to.room === 'web'),
  'Scripts may use the server and the contract, not the web.': (from, to) =>
    from.room === 'scripts' && to.room === 'web',
  'The kit knows no feature.': (from, to) =>
    from.feature === 'kit' &&
    from.room === to.room &&
    to.feature !== 'kit' &&
    !(from.isTest && to.feature === 'testing'),
  'Only tests use the folders called testing.': (from, to) =>
    (from.room === 'server' || from.room === 'web') &&
    to.feature === 'testing' &&
    !from.isTest &&
    from.feature !== 'testing',
  'A feature does not know what wires it.': (from, to) =>
    isFeature(from) && /^(server\/(main|app)\.ts|web\/(main|routes)\.tsx)$/.test(to.path),
  'Of another feature of the server, its verbs and .sql.ts may be used, never its routes.': (from, to) =>
    from.room === 'server' && isFeature(from) && to.path.endsWith('.routes.ts') && from.feature !== to.feature,
  'Of another feature of the web, only its public files may be used; a shared component moves to kit/ui.': (from, to) =>
    from.room === 'web' &&
    to.room === 'web' &&
    isFeature(from) &&
    isFeature(to) &&
    from.feature !== to.feature &&
    !isPublic(to),
  'List, profile and today share only some rooms of web/leads, and the files directly in it.': (from, to) =>
    from.path.startsWith('web/leads/') &&
    to.path.startsWith('web/leads/') &&
    to.part !== undefined &&
    from.part !== to.part &&
    !SHARED_PARTS.includes(to.part),
};

const toPlace = (path: string): Place => {
  const [room = '', ...folders] = path.split('/').slice(0, -1);
  return { path, room, feature: folders[0], part: folders[1], isTest: /\.test\.tsx?$/.test(path) };
};

const places = ROOMS.flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' }).map((path) => toPlace(join(room, path))),
).filter(({ path }) => /\.tsx?$/.test(path));

const imports = places.flatMap((from) =>
  readSpecifiers(readFileSync(from.path, 'utf8')).map((specifier) => ({
    from,
    specifier,
    to: toPlace(resolve(from.path, specifier)),
  })),
);

function readSpecifiers(text: string): string[] {
  const found = text.matchAll(/^(?:import|export)\s(?:[^'";]*\sfrom\s)?'([^']+)'|import\('([^']+)'\)/gm);
  return [...found].map(([, name, lazyName]) => name ?? lazyName ?? '');
}

/** The path from the root, or the name of a package. */
function resolve(file: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? join(dirname(file), specifier) : specifier;
}

const NAMED_FROM_ROOM = 'Across folders, a file is named from its room: #contract/…, #server/…, #web/….';

/** The reasons why a file may not import this. */
function listReasons(file: string, specifier: string): string[] {
  const [from, to] = [toPlace(file), toPlace(resolve(file, specifier))];
  const reasons = Object.keys(RULES).filter((reason) => RULES[reason]?.(from, to));
  const isRelative = /^(server|web)$/.test(from.room) && /^\.\.\/(?!(\.\.\/)*package\.json$)/.test(specifier);
  return isRelative ? [...reasons, NAMED_FROM_ROOM] : reasons;
}

test('every import keeps the rules', () => {
  expect(places.length).toBeGreaterThan(1_000);
  expect(imports.length).toBeGreaterThan(5 * places.length);
  const broken = imports.flatMap(({ from, specifier }) =>
    listReasons(from.path, specifier).map((reason) => `${from.path} imports ${specifier}. ${reason}`),
  );
  expect(broken).toEqual([]);
});

test.each([
  "import { thing } from './a.ts';",
  "import type { Thing } from './a.ts';",
  "import {\n  thing,\n  type Thing,\n} from './a.ts';",
  "import './a.ts';",
  "export const used = () => import('./a.ts');",
])('%s is an import', (text) => {
  expect(readSpecifiers(text)).toEqual(['./a.ts']);
});

const REFUSED: Record<string, string[]> = {
  'contract/leads/lead.ts': ['react', 'node:fs', 'vitest', '#server/app.ts', '#web/kit/api.ts', '../../server/app.ts'],
  'contract/leads/lead.test.ts': ['node:fs'],
  'contract/call.ts': ['../web/kit/api.ts'],
  'server/main.ts': ['#web/routes.tsx', '#server/testing/test-app.ts', './testing/test-app.ts'],
  'server/leads/leads.routes.ts': [
    '#web/leads/leads.data.ts',
    '../../web/leads/leads.data.ts',
    '../users/users.sql.ts',
  ],
  'server/leads/leads.sql.ts': ['#server/app.ts', '#server/users/users.routes.ts', '#server/testing/test-app.ts'],
  'server/leads/list/lead-list.routes.ts': ['../leads.sql.ts', '#server/users/users.routes.ts', '#server/app.ts'],
  'server/places/places.ts': ['#server/leads/list/lead-list.routes.ts', '#server/testing/places.ts'],
  'server/places/providers/google.ts': ['../places.ts', '#web/search/search.data.ts'],
  'server/testing/test-app.ts': ['#web/testing/show.tsx', '../app.ts'],
  'server/kit/http/serve.ts': ['#server/app.ts', '#server/users/users.sql.ts', '../../users/users.sql.ts'],
  'server/kit/db/open.ts': ['#server/places/places.ts', '#server/leads/leads.sql.ts', '#server/testing/databases.ts'],
  'server/kit/db/open.thorough.api.test.ts': ['#server/leads/leads.sql.ts'],
  'web/routes.tsx': ['#server/app.ts', '#web/testing/show.tsx', './testing/show.tsx'],
  'web/leads/profile/LeadScreen.tsx': [
    '#server/app.ts',
    '../../../server/app.ts',
    '#web/routes.tsx',
    '#web/testing/show.tsx',
    '#web/leads/list/table/LeadTable.tsx',
    '#web/search/SearchScreen.tsx',
  ],
  'web/leads/list/table/LeadTable.tsx': ['#web/leads/profile/LeadScreen.tsx', '../../profile/LeadScreen.tsx'],
  'web/leads/list/table/LeadTable.test.tsx': ['#web/leads/profile/LeadScreen.tsx', '#web/users/UserTable.tsx'],
  'web/search/SearchScreen.tsx': ['#web/leads/list/list.data.ts', '#web/changes/changes.data.ts'],
  'web/leads/leads.data.ts': ['#web/users/UserTable.tsx', '../users/UserTable.tsx', './list/table/LeadTable.tsx'],
  'web/kit/ui/Button.tsx': ['#web/leads/leads.data.ts', '#web/routes.tsx', '#server/kit/env.ts'],
  'web/kit/api.test.ts': ['#web/leads/leads.data.ts'],
  'web/testing/show.tsx': ['#server/testing/test-app.ts', '../routes.tsx'],
  'e2e/sign-in.spec.ts': ['#server/testing/test-app.ts', '#web/testing/show.tsx', '../server/testing/test-app.ts'],
  'scripts/demo.ts': ['#web/kit/api.ts'],
};
const refused = Object.entries(REFUSED).flatMap(([file, specifiers]) =>
  specifiers.map((specifier) => ({ file, specifier })),
);

test.each(refused)('$file may not import $specifier', ({ file, specifier }) => {
  expect(listReasons(file, specifier)).not.toEqual([]);
});

test('every public file is there, and used by another feature', () => {
  const used = imports.filter(({ from, to }) => from.feature !== to.feature).map(({ to }) => to.path);
  expect(publicPaths.filter((path) => !used.includes(path))).toEqual([]);
});

/** A migration for each change of the schema, and stories, which are a list. */
const LISTS = ['server/kit/db/migrations', 'e2e'];

test('a folder has at most 25 files, tests included', () => {
  const files = ROOMS.flatMap((room) => readdirSync(room, { recursive: true, withFileTypes: true }));
  const counts = new Map<string, number>();
  for (const { parentPath } of files.filter((file) => file.isFile())) {
    counts.set(parentPath, (counts.get(parentPath) ?? 0) + 1);
  }
  expect([...counts].filter(([folder, count]) => count > 25 && !LISTS.includes(folder))).toEqual([]);
});

test('no file is a barrel', () => {
  expect(places.filter(({ path }) => /(^|\/)index\.tsx?$/.test(path))).toEqual([]);
});

test('no files import each other in a circle', () => {
  const targets = new Map(places.map(({ path }) => [path, [] as string[]]));
  for (const { from, to } of imports) if (targets.has(to.path)) targets.get(from.path)?.push(to.path);
  expect(findCircle(targets)).toBeUndefined();
});

test('no features of a room import each other in a circle', () => {
  const targets = new Map<string, string[]>();
  const toFeature = ({ room, feature }: Place) => `${room}/${feature}`;
  for (const { from, to } of imports) {
    if (from.room !== to.room || !isFeature(from) || !isFeature(to) || from.feature === to.feature || from.isTest)
      continue;
    targets.set(toFeature(from), [...(targets.get(toFeature(from)) ?? []), toFeature(to)]);
  }
  expect(targets.size).toBeGreaterThan(10);
  expect(findCircle(targets)).toBeUndefined();
});

/** The first circle that a walk along the imports meets. */
function findCircle(targets: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const way: string[] = [];
  const walk = (path: string): string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return undefined;
    way.push(path);
    for (const target of targets.get(path) ?? []) {
      const circle = walk(target);
      if (circle) return circle;
    }
    way.pop();
    done.add(path);
    return undefined;
  };
  for (const path of targets.keys()) {
    const circle = walk(path);
    if (circle) return circle;
  }
  return undefined;
}
