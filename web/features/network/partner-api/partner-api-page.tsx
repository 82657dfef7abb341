import { Accordion, Anchor, Code, PasswordInput, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useLocation } from 'react-router'
import { ERRORS } from '#contract/errors.ts'
import { CALLS_A_MINUTE } from '#contract/people/api-key.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { runtime } from '#web/shell/runtime.ts'
import { OperationCard } from './operation-card.tsx'
import { reference, roomsOf } from './reference.ts'

/** What programs are refused for whatever they call. */
const PROBLEMS = [
  'bad_request',
  'invalid_input',
  'unauthorized',
  'forbidden',
  'key_scope',
  'not_found',
  'conflict',
  'key_reused',
  'limit_reached',
  'too_many_calls',
  'internal',
] as const

/** /partner-api: the partner API as its OpenAPI document tells it, to read, copy and try. Nothing comes from elsewhere. */
export function PartnerApiPage() {
  const { t } = useTranslation('partnerApi')
  const { t: screen } = useTranslation('screen')
  const origin = runtime().api_origin ?? location.origin
  const [apiKey, setApiKey] = useState('')
  const { hash } = useLocation()
  const found = useQuery({
    queryKey: ['partner-api'],
    staleTime: Infinity,
    queryFn: async ({ signal }) => reference.parse(await (await fetch(`${origin}/api/partner/v1/openapi.json`, { signal })).json()),
  })
  const ready = found.data !== undefined
  // a problem's type leads here, and its line comes only with the document
  useEffect(() => {
    if (ready && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView({ block: 'center' })
  }, [ready, hash])
  return (
    <>
      <PageHeader title={screen('partnerApi')} />
      <QueryPage query={found} failed={t('failed')}>
        {(document) => (
          <Stack maw={860}>
            <Panel title={t('about')}>
              <Text>{t('intro')}</Text>
              <Text mt="xs">{t('pages')}</Text>
              <Text mt="xs">{t('once')}</Text>
              <Text mt="xs">{t('webhooks')}</Text>
              <Text mt="xs">
                {t('limits', { count: CALLS_A_MINUTE })}{' '}
                <Anchor href={`${origin}/api/partner/v1/openapi.json`} target="_blank" rel="noopener" underline="always">
                  {t('openapi')}
                </Anchor>
              </Text>
              <PasswordInput
                mt="md"
                maw={460}
                label={t('key')}
                description={t('keyHint')}
                placeholder="ohma_…"
                autoComplete="off"
                value={apiKey}
                onChange={(event) => setApiKey(event.currentTarget.value.trim())}
              />
            </Panel>
            <Accordion multiple variant="separated" keepMounted={false}>
              {roomsOf(document).map(([room, operations]) => (
                <Accordion.Item key={room} value={room}>
                  <Accordion.Control>
                    {t(`room.${room as 'Offer'}`)} <span className="ohma-soft">{operations.length}</span>
                  </Accordion.Control>
                  <Accordion.Panel>
                    {operations.map((operation) => (
                      <OperationCard key={operation.operationId} operation={operation} origin={origin} apiKey={apiKey} />
                    ))}
                  </Accordion.Panel>
                </Accordion.Item>
              ))}
            </Accordion>
            <Problems />
          </Stack>
        )}
      </QueryPage>
    </>
  )
}

function Problems() {
  const { t } = useTranslation('partnerApi')
  return (
    <Panel title={t('problems')}>
      <Text mb="sm">{t('problemsAbout')}</Text>
      <TableScroll label={t('problems')} minWidth={420}>
        <Table fz={13}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('problem')}</Table.Th>
              <Table.Th>{t('status')}</Table.Th>
              <Table.Th>{t('meaning')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {PROBLEMS.map((code) => (
              <Table.Tr key={code} id={code}>
                <Table.Td>
                  <Code>{code}</Code>
                </Table.Td>
                <Table.Td>{ERRORS[code].status}</Table.Td>
                <Table.Td>{ERRORS[code].text}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Panel>
  )
}
