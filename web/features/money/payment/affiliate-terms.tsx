import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { termsApi } from '#contract/money/terms.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { query, useSave } from '#web/api/query.ts'
import { TermsFields } from '#web/features/money/payment/terms-fields.tsx'
import { termsBody, termsValues } from '#web/features/money/payment/terms-values.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { SideForm } from '#web/kit/form/side-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { useCan } from '#web/shell/access.ts'

type Told = CallOutput<typeof termsApi.get>

/** By what terms an affiliate is paid: its own, or the network's. */
export function AffiliateTerms({ uuid }: { uuid: string }) {
  const { t } = useTranslation('request')
  const { t: payment } = useTranslation('payment')
  const can = useCan()
  const [editing, setEditing] = useState(false)
  const found = useQuery(query(termsApi.get, { params: { uuid } }))
  const back = useSave(termsApi.update, { invalidate: [termsApi.get] })
  const giveBack = async ({ version }: Told) => {
    if (await confirm({ title: t('terms.back.ask'), text: t('terms.back.text'), action: t('terms.back') }))
      back.mutate({ params: { uuid }, body: { own: null, version } })
  }
  return (
    <QueryPage query={found} failed={t('terms.failed')}>
      {(told) => {
        const { schedule, net } = told.own ?? told.network
        const words = t('terms.summary', { schedule: payment(`schedule.${schedule}`), net })
        return (
          <Panel
            title={t('terms')}
            text={t(told.own === null ? 'terms.network' : 'terms.own')}
            actions={
              can('billing.write') && (
                <Group gap="xs">
                  {told.own !== null && (
                    <Button variant="default" loading={back.isPending} onClick={() => void giveBack(told)}>
                      {t('terms.back')}
                    </Button>
                  )}
                  <Button variant="default" onClick={() => setEditing(true)}>
                    {told.own === null ? t('terms.give') : t('edit', { ns: 'common' })}
                  </Button>
                </Group>
              )
            }
          >
            <p>{words}</p>
            {editing && <TermsForm uuid={uuid} told={told} onClose={() => setEditing(false)} />}
          </Panel>
        )
      }}
    </QueryPage>
  )
}

function TermsForm({ uuid, told, onClose }: { uuid: string; told: Told; onClose: () => void }) {
  const { t } = useTranslation('request')
  const form = useSaveForm({
    endpoint: termsApi.update,
    initial: termsValues(told.own ?? told.network),
    toInput: (values) => ({ params: { uuid }, body: { own: termsBody(values), version: told.version } }),
    invalidate: [termsApi.get],
    savedText: t('terms.saved'),
    onSaved: onClose,
  })
  return (
    <SideForm of={form} title={t('terms')} action={t('save', { ns: 'common' })} onClose={onClose}>
      <TermsFields of={form} />
    </SideForm>
  )
}
