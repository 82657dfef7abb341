import { Alert, Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { advertiserApi, KEPT_TOKEN_HOURS, type advertiserDetail } from '#contract/people/advertiser.ts'
import { useSave } from '#web/api/query.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { Until } from '#web/kit/show/until.tsx'
import { useNow } from '#web/kit/show/use-now.ts'

type Of = { advertiser: z.output<typeof advertiserDetail> }

/** The secret in an advertiser's postback address, how to change it, and how long the one before is still taken. */
export function AdvertiserToken({ advertiser }: Of) {
  const { t } = useTranslation('advertiser')
  const [asking, setAsking] = useState(false)
  const end = useSave(advertiserApi.endOldToken, { invalidate: [advertiserApi.get] })
  const until = advertiser.previous_token_until
  const isTaken = useNow() < Date.parse(until ?? '1970')

  const endNow = async () => {
    const sure = await confirm({
      title: t('endToken.title', { name: advertiser.name }),
      text: t('endToken.text'),
      action: t('endToken.action'),
      danger: true,
    })
    if (sure) end.mutate({ params: { uuid: advertiser.uuid } })
  }
  return (
    <>
      <CopyField label={t('postback.token')} text={advertiser.postback_token} />
      {isTaken && until !== null && (
        <Alert color="yellow" variant="light" title={t('oldToken')} role="status">
          {t('oldToken.until')} <Until at={until} />. {t('oldToken.text')}
          <Button variant="default" size="compact-md" mt={10} display="block" loading={end.isPending} onClick={() => void endNow()}>
            {t('endToken.action')}
          </Button>
        </Alert>
      )}
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden />}
        onClick={() => setAsking(true)}
        style={{ alignSelf: 'start' }}
      >
        {t('renew.action')}
      </Button>
      {asking && <RenewDialog advertiser={advertiser} isTaken={isTaken} onClose={() => setAsking(false)} />}
    </>
  )
}

function RenewDialog({ advertiser, isTaken, onClose }: Of & { isTaken: boolean; onClose: () => void }) {
  const { t } = useTranslation('advertiser')
  const form = useSaveForm({
    endpoint: advertiserApi.renewToken,
    // to change it without an outage is what most want; a token that leaked is ended at once
    initial: { keep_hours: isTaken ? '0' : '24' },
    toInput: ({ keep_hours }) => ({
      params: { uuid: advertiser.uuid },
      body: { keep_hours: KEPT_TOKEN_HOURS.find((hours) => String(hours) === keep_hours) },
    }),
    invalidate: [advertiserApi.get],
    savedText: t('renew.done'),
    onSaved: onClose,
  })
  return (
    <DialogForm
      of={form}
      title={t('renew.title', { name: advertiser.name })}
      text={t(isTaken ? 'renew.textTaken' : 'renew.text')}
      action={t('renew.action')}
      danger={form.values.keep_hours === '0'}
      onClose={onClose}
    >
      <SelectField
        of={form}
        name="keep_hours"
        label={t('renew.keep')}
        options={KEPT_TOKEN_HOURS.filter((hours) => hours === 0 || !isTaken).map((hours) => ({
          value: String(hours),
          label: t(`renew.keep.${hours}`),
        }))}
        help={form.values.keep_hours === '0' ? t('renew.atOnce') : undefined}
        required
      />
    </DialogForm>
  )
}
