import { Anchor } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useConstants } from '#web/api/constants.ts'
import { samplePreview } from '#web/kit/fields/macro/macros.ts'

/** Leads to a landing's page in a tab of its own, with sample values in place of macros. `brief` is the icon alone, for rows. */
export function PageLink({ of: { id, name, url }, brief = false }: { of: { id: number; name: string; url: string }; brief?: boolean }) {
  const { t } = useTranslation('landing')
  const { macros } = useConstants()
  return (
    <Anchor
      href={samplePreview(url, macros, 'offer', { landing_id: String(id) })}
      target="_blank"
      rel="noopener noreferrer"
      size="sm"
      title={url}
      aria-label={brief ? t('openPageOf', { name }) : undefined}
      style={{ whiteSpace: 'nowrap' }}
    >
      {!brief && t('openPage')} <IconExternalLink size={brief ? 16 : 13} aria-hidden style={{ verticalAlign: -2 }} />
    </Anchor>
  )
}
