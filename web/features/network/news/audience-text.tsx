import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Role } from '#contract/access.ts'
import { countryName } from '#web/format.ts'

/** Whom news are for, in a line: "Affiliates · Poland, Germany · vip". */
export function AudienceText({
  of: { roles, geos, tags },
}: {
  of: { roles: readonly Role[]; geos: readonly string[]; tags: readonly string[] }
}) {
  const { t } = useTranslation('news')
  if (roles.length + geos.length + tags.length === 0) return <span className="ohma-soft">{t('everybody')}</span>
  const meant = roles.length === 0 ? (['affiliate'] as const) : roles
  const parts = [meant.map((role) => t(`role.${role}`)).join(', '), geos.map(countryName).join(', '), tags.join(', ')]
  const text = parts.filter((part) => part !== '').join(' · ')
  return <span title={text}>{text}</span>
}
