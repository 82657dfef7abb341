import { Stack } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { KeyText } from '#web/features/offers/partner-offer/key-text.tsx'

/** How leads are sent by a system that speaks as TrackBox or IREV does; `offer` is its number. */
export function OtherWays({ offer }: { offer: number }) {
  const { t } = useTranslation('partnerPage')
  const { origin } = window.location
  return (
    <Panel title={t('api.others')} text={t('api.othersText')}>
      <KeyText />
      <Stack gap={6}>
        <CopyField quiet label={t('api.trackbox')} text={`${origin}/api/signup/procform`} />
        <p className="ohma-soft">{t('api.trackboxText', { offer })}</p>
      </Stack>
      <Stack gap={6}>
        <CopyField quiet label={t('api.irev')} text={`${origin}/api/affiliates/v2/leads`} />
        <p className="ohma-soft">{t('api.irevText', { offer })}</p>
      </Stack>
    </Panel>
  )
}
