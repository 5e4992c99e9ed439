import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { BANK_HOLIDAY_REGIONS, type BankHolidayRegion } from '#contract/leads/follow-ups/bank-holidays.ts';
import { namesMapFile } from '#contract/map/map.calls.ts';
import { listSsoProblems, readSsoEnv, type SsoEnv, ssoVariables } from './sso-env.ts';

type Source = Record<string, string | undefined>;

const PLACES_PROVIDERS = ['google', 'google-legacy', 'osm', 'local'] as const;
const API_DOCS = ['members', 'public'] as const;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const knownTimeZone = (name: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

const knownCurrency = (code: string) => Intl.supportedValuesOf('currency').includes(code);

const url = (protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    abort: true,
  });

/** Without a trailing slash, because paths are appended to it. */
const baseUrl = (fallback: string) =>
  url(['http:', 'https:'])
    .refine((value) => !new URL(value).search && !new URL(value).hash, 'must not have a query')
    .transform((value) => value.replace(/\/+$/, ''))
    .default(fallback);

const number = (error: string) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, error)
    .transform(Number);

const onOrOff = (fallback: 'on' | 'off') =>
  z
    .enum(['on', 'off'], 'must be "on" or "off"')
    .default(fallback)
    .transform((value) => value === 'on');

const variables = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: number('must be a port number, 0 to 65535')
    .refine((port) => Number.isInteger(port) && port <= 65_535, 'must be a port number, 0 to 65535')
    .default(3000),
  APP_URL: url(['http:', 'https:'])
    .refine((value) => ['', '/'].includes(new URL(value).pathname), 'must not have a path')
    .transform((value) => new URL(value).origin)
    .optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: url(['postgres:', 'postgresql:']).optional(),
  DATABASE_DIRECT_URL: url(['postgres:', 'postgresql:']).optional(),
  POSTGRES_BIN: z.string().optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_AT: z
    .string()
    .regex(/^(off|([01]\d|2[0-3]):[0-5]\d)$/, 'must be a time such as 02:30, or "off"')
    .default('02:30'),
  SECRETS_KEY: z.string().min(16, 'must have 16 characters or more').optional(),
  BACKUP_KEY: z.string().min(16, 'must have 16 characters or more').optional(),
  TIME_ZONE: z.string().refine(knownTimeZone, 'must be a time zone such as Europe/London').default('Europe/London'),
  BANK_HOLIDAYS: z
    .enum(BANK_HOLIDAY_REGIONS, `must be one of ${BANK_HOLIDAY_REGIONS.join(', ')}`)
    .default('england-and-wales'),
  CURRENCY: z
    .string()
    .trim()
    .toUpperCase()
    .refine(knownCurrency, 'must be the code of a currency such as GBP')
    .default('GBP'),
  PLACES_PROVIDER: z.enum(PLACES_PROVIDERS, `must be one of ${PLACES_PROVIDERS.join(', ')}`).optional(),
  GOOGLE_MAPS_API_KEY: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]+$/, 'must be one word')
    .optional(),
  GOOGLE_PLACES_URL: baseUrl('https://places.googleapis.com'),
  GOOGLE_MAPS_URL: baseUrl('https://maps.googleapis.com'),
  OVERPASS_URL: baseUrl('https://overpass-api.de/api/interpreter'),
  NOMINATIM_URL: baseUrl('https://nominatim.openstreetmap.org'),
  POSTCODES_URL: baseUrl('https://api.postcodes.io'),
  PLACES_USER_AGENT: z
    .string()
    .regex(/^[\x20-\x7e]+$/, 'must be one line of plain text')
    .optional(),
  PLACES_MONTHLY_REQUEST_CAP: number('must be a whole number')
    .refine((cap) => Number.isSafeInteger(cap) && cap <= 2_147_483_647, 'must be a whole number')
    .default(900),
  TILE_URL: z
    .string()
    .refine(
      (value) => (/^https?:\/\//i.test(value) ? URL.canParse(value) : namesMapFile(value)),
      'must be an address that begins with http:// or https://, or the path of a .pmtiles file',
    )
    .transform((value) => (/^https?:/i.test(value) ? value : resolve(value)))
    .default('https://tile.openstreetmap.org/{z}/{x}/{y}.png'),
  TILE_ATTRIBUTION: z.string().default('© OpenStreetMap contributors'),
  SMTP_URL: url(['smtp:', 'smtps:']).optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^\r\n<>]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/,
      'must be an e-mail address, or a name and <address>',
    )
    .default('Highstreet <no-reply@localhost>'),
  SUPPORT_EMAIL: z
    .string()
    .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
    .default('support@localhost'),
  TRUST_PROXY: z
    .string()
    .regex(/^(off|\d{1,2})$/, 'must be "off" or the number of proxies')
    .transform((value) => (value === 'off' ? 0 : Number(value)))
    .default(0),
  RATE_LIMIT_FACTOR: number('must be a number above 0')
    .refine((factor) => factor > 0, 'must be a number above 0')
    .default(1),
  ...ssoVariables,
  WEBHOOK_ALLOW_HTTP: onOrOff('off'),
  WEBHOOK_ALLOW_PRIVATE: onOrOff('off'),
  SERVICE_WORKER: onOrOff('on'),
  PUSH_SERVICES: z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((host) => host.trim().toLowerCase())
        .filter(Boolean),
    )
    .refine(
      (hosts) => hosts.every((host) => /^[a-z0-9.-]+$/.test(host)),
      'must be host names, with commas between them',
    )
    .optional(),
  API_DOCS: z.enum(API_DOCS, `must be one of ${API_DOCS.join(', ')}`).default('members'),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must be one word of 16 characters or more')
    .optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  NODE_ENV: z.string().optional(),
});

/** All variables, and the defaults of those that have one. */
export const VARIABLES = Object.keys(variables.shape);
export const DEFAULTS: Record<string, unknown> = variables.parse({});

export interface PlacesEnv {
  provider: (typeof PLACES_PROVIDERS)[number];
  googleKey: string | undefined;
  googlePlacesUrl: string;
  googleMapsUrl: string;
  overpassUrl: string;
  nominatimUrl: string;
  postcodesUrl: string;
  /** The User-Agent for open services; by default product and version. */
  userAgent: string | undefined;
  /** Maximum number of paid calls in a calendar month. */
  monthlyCap: number;
}

/** Which addresses webhooks may have, besides those of the internet with https. */
export interface WebhookEnv {
  allowHttp: boolean;
  allowPrivate: boolean;
}

export interface Env {
  host: string;
  port: number;
  appUrl: string;
  dataDir: string;
  databaseUrl: string | undefined;
  /** The same database without the connection pooler, if `databaseUrl` is one. */
  databaseDirectUrl: string | undefined;
  /** The folder of the PostgreSQL programs for the built-in database; by default those of the npm package. */
  postgresBin: string | undefined;
  backupDir: string;
  /** The team's time of the nightly backup, such as 02:30; undefined: the product makes none by itself. */
  backupAt: string | undefined;
  /** A passphrase that backups are encrypted with. */
  secretsKey: string | undefined;
  backupKey: string | undefined;
  timeZone: string;
  bankHolidays: BankHolidayRegion;
  /** ISO 4217. */
  currency: string;
  places: PlacesEnv;
  /** A template with {z}, {x} and {y}, the URL of a .pmtiles file, or the path of one. */
  tileUrl: string;
  tileAttribution: string;
  smtpUrl: string | undefined;
  mailFrom: string;
  supportEmail: string;
  trustProxy: number;
  rateLimitFactor: number;
  sso: SsoEnv | undefined;
  webhooks: WebhookEnv;
  /** Whether browsers keep the app on the device; without it, they are told to delete it. */
  serviceWorker: boolean;
  /** Hosts of push services, besides those of the known browsers. */
  pushServices: string[];
  /** Who may read the pages about the API: signed-in users and programs, or anyone. */
  apiDocs: (typeof API_DOCS)[number];
  /** The bearer token for /metrics; without it only this machine may read them. */
  metricsToken: string | undefined;
  logLevel: (typeof LOG_LEVELS)[number];
}

/** Lists every invalid variable, so that all can be corrected at once. */
export class InvalidEnvironment extends Error {
  override name = 'InvalidEnvironment';
  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}

/** Parses the configuration. An empty variable counts as unset. */
export function readEnv(source: Source): Env {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()));
  const parsed = variables.safeParse(present);
  if (!parsed.success) {
    throw new InvalidEnvironment(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`));
  }
  const env = parsed.data;
  const ssoProblems = listSsoProblems(env);
  if (ssoProblems.length) throw new InvalidEnvironment(ssoProblems);
  return {
    host: env.HOST,
    port: env.PORT,
    appUrl: env.APP_URL ?? `http://localhost:${env.PORT}`,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_URL && env.DATABASE_DIRECT_URL,
    postgresBin: env.POSTGRES_BIN,
    backupDir: resolve(env.BACKUP_DIR ?? join(env.DATA_DIR, 'backups')),
    backupAt: env.BACKUP_AT === 'off' ? undefined : env.BACKUP_AT,
    secretsKey: env.SECRETS_KEY,
    backupKey: env.BACKUP_KEY,
    timeZone: env.TIME_ZONE,
    bankHolidays: env.BANK_HOLIDAYS,
    currency: env.CURRENCY,
    places: {
      provider: env.PLACES_PROVIDER ?? (env.GOOGLE_MAPS_API_KEY ? 'google' : 'local'),
      googleKey: env.GOOGLE_MAPS_API_KEY,
      googlePlacesUrl: env.GOOGLE_PLACES_URL,
      googleMapsUrl: env.GOOGLE_MAPS_URL,
      overpassUrl: env.OVERPASS_URL,
      nominatimUrl: env.NOMINATIM_URL,
      postcodesUrl: env.POSTCODES_URL,
      userAgent: env.PLACES_USER_AGENT,
      monthlyCap: env.PLACES_MONTHLY_REQUEST_CAP,
    },
    tileUrl: env.TILE_URL,
    tileAttribution: env.TILE_ATTRIBUTION,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    supportEmail: env.SUPPORT_EMAIL,
    trustProxy: env.TRUST_PROXY,
    rateLimitFactor: env.RATE_LIMIT_FACTOR,
    sso: readSsoEnv(env),
    pushServices: env.PUSH_SERVICES ?? [],
    webhooks: { allowHttp: env.WEBHOOK_ALLOW_HTTP, allowPrivate: env.WEBHOOK_ALLOW_PRIVATE },
    serviceWorker: env.SERVICE_WORKER,
    apiDocs: env.API_DOCS,
    metricsToken: env.METRICS_TOKEN,
    logLevel: env.LOG_LEVEL,
  };
}

/** The process's variables take precedence over the .env file; a missing file counts as empty. */
export function withEnvFile(file: string, source: Source): Source {
  try {
    return { ...parseEnv(readFileSync(file, 'utf8')), ...source };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return source;
    throw error;
  }
}
