/**
 * A tracking link. Braces stay as they are, because the systems traffic is bought in put their own values in place of
 * `{…}` and would not recognise an encoded one.
 */
export function clickUrl(base: string, offerId: number, affiliateId: number, params: Readonly<Record<string, string>>): string {
  const pairs = [['offer_id', String(offerId)] as const, ['pid', String(affiliateId)] as const, ...Object.entries(params)]
  return `${base}/click?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed()).replaceAll('%7B', '{').replaceAll('%7D', '}')}`).join('&')}`
}
