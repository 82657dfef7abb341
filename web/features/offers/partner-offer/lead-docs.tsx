import { Button, Table } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { PartnerLeads } from '#contract/leads/api-offer.ts'
import { CALLS_A_MINUTE } from '#contract/people/api-key.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { copyAloud } from '#web/kit/show/copy.ts'
import { RawText } from '#web/kit/show/raw-text.tsx'
import { KeyText } from '#web/features/offers/partner-offer/key-text.tsx'

const ANSWERS = ['201', '202', '200', '401', '409', '422', '429'] as const

/** How leads are sent to an offer by a program: address, key, fields, a sample that is taken as it stands, and the answers. */
export function LeadDocs({ of: { fields, sample } }: { of: PartnerLeads }) {
  const { t } = useTranslation('partnerPage')
  const { origin } = window.location
  const curl = curlOf(`${origin}/api/lead/v1/send`, sample)
  return (
    <>
      <Panel title={t('api')} text={t('apiText')}>
        <CopyField quiet label={`${t('api.address')} · ${t('api.method')}`} text={`${origin}/api/lead/v1/send`} />
        <KeyText />
      </Panel>
      <Panel
        title={t('api.sample')}
        text={t('api.sampleText')}
        actions={
          <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copyAloud(curl)}>
            {t('api.copy')}
          </Button>
        }
      >
        <RawText>{curl}</RawText>
      </Panel>
      <Panel title={t('api.fields')}>
        <Fields of={fields.filter(({ required }) => required)} />
        <details>
          <summary>{t('api.more')}</summary>
          <Fields of={fields.filter(({ required }) => !required)} />
        </details>
      </Panel>
      <Panel title={t('api.answers')}>
        <Table horizontalSpacing={8}>
          <Table.Tbody>
            {ANSWERS.map((code) => (
              <Table.Tr key={code}>
                <Table.Td className="ohma-number">{code}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{t(`api.answer.${code}`, { most: CALLS_A_MINUTE })}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Panel>
      <Panel title={t('api.later')} text={t('api.laterText')}>
        <CopyField quiet label={`${t('api.address')} · GET`} text={`${origin}/api/lead/v1/detail/<session_uuid>`} />
      </Panel>
    </>
  )
}

function Fields({ of }: { of: PartnerLeads['fields'] }) {
  const { t } = useTranslation('partnerPage')
  const formOf = ({ kind, most, values }: PartnerLeads['fields'][number]) => {
    if (values !== null) return t('api.one', { values: values.join(', ') })
    if (kind !== 'text') return t(({ number: 'api.number', yes: 'api.bool', object: 'api.object' } as const)[kind])
    return most === null ? t('api.text') : t('api.letters', { count: most })
  }
  return (
    <Table horizontalSpacing={8}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('api.name')}</Table.Th>
          <Table.Th>{t('api.form')}</Table.Th>
          <Table.Th>{t('api.required')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {of.map((field) => (
          <Table.Tr key={field.name}>
            <Table.Td>
              <code>{field.name}</code>
            </Table.Td>
            <Table.Td>{formOf(field)}</Table.Td>
            <Table.Td>{field.required ? t('api.yes') : ''}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** A call as a shell takes it; what stands in quotes ends none of them. */
function curlOf(url: string, body: object): string {
  const json = JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)
  return `curl -X POST '${url}' \\\n  -H 'Authorization: Bearer YOUR_API_KEY' \\\n  -H 'Content-Type: application/json' \\\n  -d '${json}'`
}
