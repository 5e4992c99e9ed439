import { type Role, role } from '#contract/users/user.ts';
import type { SsoEnv } from '#server/kit/sso-env.ts';
import type { Claims } from './identity.ts';

/**
 * The role that the provider's claim gives: the highest of its values. Without any it is that of a user, so that
 * removing a person from a group takes the role away, also where the provider then leaves the claim out. Undefined where
 * the product decides about roles.
 */
export function chooseRole({ roleClaim, roles }: Pick<SsoEnv, 'roleClaim' | 'roles'>, claims: Claims) {
  if (!roleClaim) return undefined;
  const given = readValues(claims, roleClaim).map((value) => roles.get(value));
  return role.options.find((each) => given.includes(each)) ?? ('user' satisfies Role);
}

/** A claim by its whole name, which may have dots, or else inside another one: `realm_access.roles`. */
function readValues(claims: Claims, path: string): string[] {
  const whole = Object.hasOwn(claims, path) ? claims[path] : readPath(claims, path.split('.'));
  return [whole].flat().filter((value) => typeof value === 'string');
}

function readPath(value: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return readPath((value as Claims)[key], rest);
}
