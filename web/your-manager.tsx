import { Anchor, Group } from '@mantine/core'
import { IconBrandLinkedin, IconBrandSkype, IconBrandTelegram, IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ownManagerApi } from '#contract/people/own-manager.ts'
import { query } from '#web/api/query.ts'
import { contactLink, type ContactKind } from '#web/kit/show/contact-link.ts'
import { Panel } from '#web/kit/page/panel.tsx'

const ICONS = { telegram: IconBrandTelegram, email: IconMail, skype: IconBrandSkype, linkedin: IconBrandLinkedin } as const
const NAMES: Partial<Record<ContactKind, string>> = { telegram: 'Telegram', skype: 'Skype', linkedin: 'LinkedIn' }

/** Whom an affiliate turns to, with every way to reach them; nothing while nobody is named. `inside` stands in another panel. */
export function YourManager({ inside = false }: { inside?: boolean }) {
  const { t } = useTranslation('manager')
  // without a manager's name the page says the same: its failure is nobody's business
  const { data } = useQuery({ ...query(ownManagerApi.get, {}, { quiet: true }), staleTime: 300_000 })
  const manager = data?.manager
  if (!manager) return null
  const ways = (['telegram', 'email', 'skype', 'linkedin'] as const).flatMap((kind) => {
    const href = contactLink(kind, manager[kind])
    return href === undefined ? [] : [{ kind, href, text: manager[kind] }]
  })
  const links = (
    <Group gap="6px 18px">
      {ways.map(({ kind, href, text }) => {
        const Icon = ICONS[kind]
        return (
          <Anchor
            key={kind}
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            // a coloured panel leaves the colour of links too pale
            {...(inside && { c: 'inherit', underline: 'always' as const })}
            style={{ overflowWrap: 'anywhere' }}
          >
            <Icon size={16} stroke={1.7} aria-hidden style={{ verticalAlign: '-3px', marginRight: 5 }} />
            {NAMES[kind] ?? t('yours.email')}: {text}
          </Anchor>
        )
      })}
    </Group>
  )
  if (inside)
    return (
      <div>
        <p>{t('yours.text', { name: manager.name })}</p>
        {links}
      </div>
    )
  return (
    <Panel title={`${t('yours')}: ${manager.name}`} text={t('yours.text', { name: manager.name })}>
      {links}
    </Panel>
  )
}
