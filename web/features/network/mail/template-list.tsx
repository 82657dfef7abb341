import { Badge, Button, Group, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { MAIL_EVENT_NAMES } from '#contract/network/mail.ts'
import { mailTemplateApi, type mailTemplate } from '#contract/network/mail-template.ts'
import { query } from '#web/api/query.ts'
import { TemplateForm } from '#web/features/network/mail/template-form.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'

type Template = z.output<typeof mailTemplate>

const LANGUAGES = { en: 'English', uk: 'Українська' } as const

/** Every message the network sends, with its text in each language. */
export function TemplateList() {
  const { t } = useTranslation('mail')
  const found = useQuery(query(mailTemplateApi.list, {}))
  const [open, setOpen] = useState<Template>()
  return (
    <QueryPage query={found} failed={t('texts.failed')}>
      {({ list }) => (
        <Panel title={t('tab.texts')} text={t('texts.text')}>
          <Table verticalSpacing={8}>
            <Table.Tbody>
              {MAIL_EVENT_NAMES.map((event) => (
                <Table.Tr key={event}>
                  <Table.Th scope="row" fw={550}>
                    {t(`event.${event}`)}
                  </Table.Th>
                  <Table.Td>
                    <Group gap={8} justify="flex-end">
                      {list
                        .filter((one) => one.event === event)
                        .map((one) => (
                          <Button
                            key={one.language}
                            size="compact-md"
                            variant="default"
                            aria-label={t('texts.edit', { event: t(`event.${event}`), language: LANGUAGES[one.language] })}
                            rightSection={
                              one.own && (
                                <Badge size="xs" variant="light">
                                  {t('texts.own')}
                                </Badge>
                              )
                            }
                            onClick={() => setOpen(one)}
                          >
                            {LANGUAGES[one.language]}
                          </Button>
                        ))}
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          {open && (
            <TemplateForm
              template={open}
              title={`${t(`event.${open.event}`)} · ${LANGUAGES[open.language]}`}
              onClose={() => setOpen(undefined)}
            />
          )}
        </Panel>
      )}
    </QueryPage>
  )
}
