import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { InvalidEnvironment, readEnv, withEnvFile } from './env.ts';

const OIDC = { OIDC_ISSUER: 'https://id.example.test', OIDC_CLIENT_ID: 'crm', OIDC_CLIENT_SECRET: 'secret' };

test('everything has a default; an empty variable counts as unset', () => {
  expect(readEnv({ PORT: '', APP_URL: ' ' })).toEqual({
    host: '127.0.0.1',
    port: 3000,
    appUrl: 'http://localhost:3000',
    dataDir: resolve('./data'),
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    backupDir: resolve('./data/backups'),
    backupAt: '02:30',
    timeZone: 'Europe/London',
    places: {
      provider: 'local',
      googleKey: undefined,
      googlePlacesUrl: 'https://places.googleapis.com',
      googleMapsUrl: 'https://maps.googleapis.com',
      overpassUrl: 'https://overpass-api.de/api/interpreter',
      nominatimUrl: 'https://nominatim.openstreetmap.org',
      postcodesUrl: 'https://api.postcodes.io',
      userAgent: undefined,
      monthlyCap: 900,
    },
    tileUrl: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
    tileAttribution: '© OpenStreetMap contributors',
    bankHolidays: 'england-and-wales',
    currency: 'GBP',
    smtpUrl: undefined,
    mailFrom: 'Highstreet <no-reply@localhost>',
    supportEmail: 'support@localhost',
    trustProxy: 0,
    rateLimitFactor: 1,
    webhooks: { allowHttp: false, allowPrivate: false },
    serviceWorker: true,
    pushServices: [],
    apiDocs: 'members',
    metricsToken: undefined,
    logLevel: 'info',
  });
});

test('variables override the defaults', () => {
  const source = { PORT: '8080', APP_URL: 'https://leads.example.test/', TRUST_PROXY: '2', RATE_LIMIT_FACTOR: '0.5' };
  expect(readEnv(source)).toMatchObject({
    port: 8080,
    appUrl: 'https://leads.example.test',
    trustProxy: 2,
    rateLimitFactor: 0.5,
  });
  expect(readEnv({ PORT: '8080' }).appUrl).toBe('http://localhost:8080');
  expect(readEnv({ TRUST_PROXY: 'off' }).trustProxy).toBe(0);
  expect(readEnv({ WEBHOOK_ALLOW_PRIVATE: 'on' }).webhooks).toEqual({ allowHttp: false, allowPrivate: true });
  const pooled = { DATABASE_URL: 'postgres://pooler/x', DATABASE_DIRECT_URL: 'postgres://server/x' };
  expect(readEnv(pooled).databaseDirectUrl).toBe('postgres://server/x');
  expect(readEnv({ ...pooled, DATABASE_URL: '' }).databaseDirectUrl).toBeUndefined();
});

test('a Google key selects Google, unless PLACES_PROVIDER is set', () => {
  expect(readEnv({ GOOGLE_MAPS_API_KEY: ' key-1 ' }).places).toMatchObject({ provider: 'google', googleKey: 'key-1' });
  expect(readEnv({ GOOGLE_MAPS_API_KEY: 'key-1', PLACES_PROVIDER: 'osm' }).places.provider).toBe('osm');
  expect(readEnv({ PLACES_PROVIDER: 'google' }).places).toMatchObject({ provider: 'google', googleKey: undefined });
  expect(readEnv({ NOMINATIM_URL: 'http://localhost:9/geo/' }).places.nominatimUrl).toBe('http://localhost:9/geo');
  expect(readEnv({ PLACES_MONTHLY_REQUEST_CAP: '0' }).places.monthlyCap).toBe(0);
});

test.each([
  [{ PORT: '70000' }, 'PORT must be a port number, 0 to 65535'],
  [{ PORT: 'eighty' }, 'PORT must be a port number, 0 to 65535'],
  [{ APP_URL: 'leads.example.test' }, 'APP_URL must be an address that begins with http:// or https://'],
  [{ APP_URL: 'https://leads.example.test/crm' }, 'APP_URL must not have a path'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be an address that begins with postgres:// or postgresql://'],
  [{ BACKUP_AT: '2:30' }, 'BACKUP_AT must be a time such as 02:30, or "off"'],
  [{ BACKUP_KEY: 'short' }, 'BACKUP_KEY must have 16 characters or more'],
  [{ TIME_ZONE: 'Mars/Olympus' }, 'TIME_ZONE must be a time zone such as Europe/London'],
  [{ PLACES_PROVIDER: 'bing' }, 'PLACES_PROVIDER must be one of google, google-legacy, osm, local'],
  [{ GOOGLE_MAPS_API_KEY: 'two words' }, 'GOOGLE_MAPS_API_KEY must be one word'],
  [{ OVERPASS_URL: 'overpass' }, 'OVERPASS_URL must be an address that begins with http:// or https://'],
  [{ GOOGLE_MAPS_URL: 'https://maps.example/?key=1' }, 'GOOGLE_MAPS_URL must not have a query'],
  [{ PLACES_USER_AGENT: 'a\nb' }, 'PLACES_USER_AGENT must be one line of plain text'],
  [{ PLACES_MONTHLY_REQUEST_CAP: '1.5' }, 'PLACES_MONTHLY_REQUEST_CAP must be a whole number'],
  [
    { TILE_URL: '/srv/tiles.mbtiles' },
    'TILE_URL must be an address that begins with http:// or https://, or the path of a .pmtiles file',
  ],
  [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY must be "off" or the number of proxies'],
  [{ RATE_LIMIT_FACTOR: '0' }, 'RATE_LIMIT_FACTOR must be a number above 0'],
  [{ SERVICE_WORKER: 'no' }, 'SERVICE_WORKER must be "on" or "off"'],
  [{ PUSH_SERVICES: 'https://push.example.com' }, 'PUSH_SERVICES must be host names, with commas between them'],
  [{ WEBHOOK_ALLOW_HTTP: 'yes' }, 'WEBHOOK_ALLOW_HTTP must be "on" or "off"'],
  [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must be one word of 16 characters or more'],
  [{ MAIL_FROM: 'bad' }, 'MAIL_FROM must be an e-mail address, or a name and <address>'],
  [{ SUPPORT_EMAIL: 'help' }, 'SUPPORT_EMAIL must be an e-mail address'],
  [{ OIDC_ISSUER: 'http://id.example.test' }, 'OIDC_ISSUER must be an address that begins with https://'],
  [{ ...OIDC, OIDC_CLIENT_SECRET: '' }, 'OIDC_CLIENT_SECRET is needed with OIDC_ISSUER'],
  [{ ...OIDC, OIDC_SCOPES: 'email' }, 'OIDC_SCOPES must be names with spaces between them, one of them openid'],
  [{ ...OIDC, OIDC_CREATE_USERS: 'yes' }, 'OIDC_CREATE_USERS must be "on" or "off"'],
  [{ ...OIDC, OIDC_CREATE_USERS: 'on' }, 'OIDC_ALLOWED_DOMAINS is needed with OIDC_CREATE_USERS'],
  [
    { OIDC_ALLOWED_DOMAINS: '@a.test' },
    'OIDC_ALLOWED_DOMAINS must be domains such as example.com, with commas between them',
  ],
  [{ OIDC_ROLES: 'a=boss' }, 'OIDC_ROLES must be pairs such as crm-admins=admin, with commas between them'],
  [{ OIDC_ONLY: 'on', OIDC_EMERGENCY_ADMIN: 'ada' }, 'OIDC_ISSUER is needed with OIDC_ONLY'],
  [
    { ...OIDC, OIDC_ONLY: 'on' },
    'OIDC_EMERGENCY_ADMIN is needed with OIDC_ONLY: the username of an administrator who keeps the password',
  ],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent'],
])('%o is refused with a message that names the variable', (source, problem) => {
  expect(() => readEnv(source)).toThrow(new InvalidEnvironment([problem]));
});

test('TILE_URL is a template, the URL of a file, or a path', () => {
  for (const url of ['https://{s}.tiles.example/{z}/{x}/{y}.png', 'https://maps.example/gb.pmtiles']) {
    expect(readEnv({ TILE_URL: url }).tileUrl).toBe(url);
  }
  expect(readEnv({ TILE_URL: 'maps/gb.pmtiles' }).tileUrl).toBe(resolve('maps/gb.pmtiles'));
});

test('BACKUP_DIR is a folder in DATA_DIR unless it is set, and BACKUP_AT can be off', () => {
  expect(readEnv({ DATA_DIR: '/srv/data' }).backupDir).toBe('/srv/data/backups');
  expect(readEnv({ DATA_DIR: '/srv/data', BACKUP_DIR: '/srv/backups' }).backupDir).toBe('/srv/backups');
  expect(readEnv({ BACKUP_AT: 'off' }).backupAt).toBeUndefined();
});

test('every invalid variable is reported, not only the first', () => {
  const read = () => readEnv({ PORT: 'x', TIME_ZONE: 'y' });
  expect(read).toThrow(/PORT .*\nTIME_ZONE /);
});

test('the process takes precedence over the .env file, and a missing file counts as empty', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'highstreet-env-')), '.env');
  expect(withEnvFile(file, { PORT: '1' })).toEqual({ PORT: '1' });
  writeFileSync(file, 'PORT=2\nHOST="0.0.0.0"\n');
  expect(withEnvFile(file, { PORT: '1' })).toEqual({ PORT: '1', HOST: '0.0.0.0' });
});
