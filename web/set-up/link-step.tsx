import { Alert, Button, Group, Loader } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import { dashboardApi } from '#contract/network/dashboard.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { affiliateApi, blankAffiliate } from '#contract/people/affiliate.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { screenHref } from '#web/shell/access.ts'
import { usePasswordLink } from '#web/shell/use-password-link.tsx'
import type { StepProps } from './steps.ts'
import { StepForm, Ways } from './step-form.tsx'

/** Who brings visitors, the link they use, and the first click of it, which is told as soon as it is counted. */
export function LinkStep({ there, currency, back }: StepProps) {
  const { t } = useTranslation('setUp')
  const { partner_settings } = useConstants()
  const { show, dialog } = usePasswordLink(affiliateApi.passwordLink)
  const form = useSaveForm({
    endpoint: affiliateApi.create,
    initial: { name: '', email: '' },
    toInput: (values) => ({
      body: { ...blankAffiliate, currency, manager_uuid: there.manager_uuid, time_zone: partner_settings.time_zone, ...values },
    }),
    invalidate: [affiliateApi.list, dashboardApi.firstSteps],
    onSaved: (made, { name }) => show({ ...made, name }),
  })
  const { affiliate_uuid: affiliate, offer_uuid: offer } = there
  const active = there.steps?.some(({ id, done }) => id === 'offer' && done)
  return (
    <>
      {affiliate === null ? (
        <StepForm of={form} label={t('step.link')} action={t('link.add')} ways={{ back }}>
          <FormSection title={t('link.who')} text={t('link.whoText')}>
            <TextField of={form} name="name" label={t('name')} required />
            <TextField of={form} name="email" label={t('email')} type="email" required />
          </FormSection>
        </StepForm>
      ) : (
        <>
          {offer === null || !active ? (
            <Alert color="var(--ohma-waiting)" role="note">
              {t('link.noOffer')}
            </Alert>
          ) : (
            <FirstClick offer={offer} affiliate={affiliate} there={there} />
          )}
          <Ways back={back}>
            <Button component={Link} to={screenHref('dashboard')}>
              {t('finish')}
            </Button>
          </Ways>
        </>
      )}
      {dialog}
    </>
  )
}

function FirstClick({ offer, affiliate, there }: { offer: string; affiliate: string; there: StepProps['there'] }) {
  const { t } = useTranslation('setUp')
  const { click } = there
  const clicked = click === 'counted'
  // the steps are read again until the click is among them
  useQuery({ ...query(dashboardApi.firstSteps, {}, { quiet: true }), staleTime: 0, refetchInterval: clicked ? false : 2_000 })
  const link = useQuery(query(offerApi.affiliateLink, { params: { uuid: offer }, body: { affiliate_uuid: affiliate } }))
  if (link.isError) return <ErrorState what={t('link.failed')} error={link.error} onRetry={() => void link.refetch()} />
  return (
    <FormSection title={t('link.title')} text={t('link.text')}>
      <div data-wide style={{ display: 'grid', gap: 14 }}>
        {link.data && (
          <>
            <CopyField label={t('link.url')} text={link.data.url} />
            <Button component="a" href={link.data.url} target="_blank" rel="noreferrer" variant="light" style={{ justifySelf: 'start' }}>
              {t('link.click')}
            </Button>
          </>
        )}
        <div role="status">
          {clicked ? (
            <Alert color="var(--ohma-good)" icon={<IconCheck size={18} aria-hidden />} title={t('link.counted')}>
              {t('link.countedText')}
            </Alert>
          ) : (
            <>
              {click !== 'none' && (
                <Alert color="var(--ohma-waiting)" mb="sm">
                  {t(`link.${click}`)}
                </Alert>
              )}
              <Group gap={10}>
                <Loader size="xs" aria-hidden /> {t('link.waiting')}
              </Group>
            </>
          )}
        </div>
      </div>
    </FormSection>
  )
}
