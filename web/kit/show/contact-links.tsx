import { ActionIcon, Tooltip } from '@mantine/core'
import { IconBrandLinkedin, IconBrandSkype, IconBrandTelegram, IconMail } from '@tabler/icons-react'
import { contactLink, type ContactKind } from '#web/kit/show/contact-link.ts'

const ICONS = { skype: IconBrandSkype, telegram: IconBrandTelegram, email: IconMail, linkedin: IconBrandLinkedin } as const

/** Icons that open skype, telegram, e-mail or linkedin with this person; kinds left empty are not drawn. */
export function ContactLinks({ contacts }: { contacts: Partial<Record<ContactKind, string>> }) {
  const kinds = (['email', 'telegram', 'skype', 'linkedin'] as const).flatMap((kind) => {
    const text = contacts[kind] ?? ''
    const href = contactLink(kind, text)
    return href === undefined ? [] : [{ kind, text, href }]
  })
  if (kinds.length === 0) return null
  return (
    <span style={{ display: 'inline-flex', gap: 2 }}>
      {kinds.map(({ kind, text, href }) => {
        const Icon = ICONS[kind]
        return (
          <Tooltip key={kind} label={text}>
            <ActionIcon
              component="a"
              href={href}
              target="_blank"
              rel="noopener noreferrer"
              variant="subtle"
              color="gray"
              size={28}
              aria-label={`${kind}: ${text}`}
            >
              <Icon size={17} stroke={1.7} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )
      })}
    </span>
  )
}
