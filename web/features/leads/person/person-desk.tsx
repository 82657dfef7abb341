import { Button, Group, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { personApi } from '#contract/leads/person.ts'
import { query } from '#web/api/query.ts'
import { Notices } from '#web/features/leads/person/notices.tsx'
import { PersonCard } from '#web/features/leads/person/person-card.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import type english from './person.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    person: typeof english
  }
}

/** What people ask about their data: somebody is found by a whole contact or a lead, and what is held of them shown. */
export function PersonDesk() {
  const { t } = useTranslation('person')
  const [address, setAddress] = useSearchParams()
  const asked = address.get('lead') ?? ''
  // a contact never stands in the address: only a lead does
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState(asked)
  const [chosen, setChosen] = useState<string | null>(null)
  const found = useQuery({ ...query(personApi.find, { body: { search } }, { quiet: true }), enabled: search !== '', gcTime: 0 })
  const list = found.data?.list ?? []
  const open = chosen ?? (list.length === 1 ? (list[0]?.uuid ?? null) : null)
  return (
    <Stack>
      <Panel title={t('title')} text={t('text')}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            setChosen(null)
            setSearch(typed.trim())
            if (asked !== '') setAddress({ tab: 'person' })
          }}
        >
          <Group align="end" gap="xs">
            <TextInput
              label={t('search')}
              value={typed}
              maxLength={254}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              style={{ flex: '1 1 260px', maxWidth: 460 }}
            />
            <Button type="submit" disabled={typed.trim() === ''} leftSection={<IconSearch size={16} aria-hidden />}>
              {t('find')}
            </Button>
          </Group>
        </form>
        {search !== '' && (
          <QueryPage query={found} failed={t('failed')}>
            {() =>
              list.length === 0 ? (
                <Text c="dimmed" role="status">
                  {t('nobody')}
                </Text>
              ) : list.length === 1 ? null : (
                <Stack gap={6}>
                  <Text fz={13.5}>{t('several')}</Text>
                  {list.map((one) => (
                    <UnstyledButton key={one.uuid} onClick={() => setChosen(one.uuid)} aria-pressed={one.uuid === open}>
                      <Group gap="xs">
                        <strong>{[one.name, one.email, one.phone].filter(Boolean).join(' · ') || t('unknown')}</strong>
                        <span className="ohma-soft">
                          {one.country} · {t('leads', { count: one.sessions })}
                        </span>
                      </Group>
                    </UnstyledButton>
                  ))}
                </Stack>
              )
            }
          </QueryPage>
        )}
      </Panel>
      {open !== null && <PersonCard key={open} uuid={open} />}
      {open === null && <ToTell onOpen={setChosen} />}
    </Stack>
  )
}

/** Advertisers nobody has told yet of somebody who was erased. */
function ToTell({ onOpen }: { onOpen: (uuid: string) => void }) {
  const { t } = useTranslation('person')
  const waiting = useQuery(query(personApi.toTell, {}, { quiet: true }))
  const list = waiting.data?.list ?? []
  if (list.length === 0) return null
  return (
    <Panel title={t('toTell')} text={t('toTell.text')}>
      <Notices of={list} onOpen={(at) => onOpen(list[at]?.person_uuid ?? '')} />
    </Panel>
  )
}
