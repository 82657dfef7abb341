import { useTranslation } from 'react-i18next'
import { blankLanding, landingApi } from '#contract/offers/landing.ts'
import { landingBody, LandingForm, landingValues } from '#web/features/offers/landing/landing-form.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { useGo } from '#web/shell/access.ts'

/** Makes a landing, active at once. */
export function LandingCreate() {
  const { t } = useTranslation('landing')
  const go = useGo()
  const form = useSaveForm({
    endpoint: landingApi.create,
    initial: landingValues(blankLanding, []),
    toInput: (values) => ({ body: landingBody(values) }),
    invalidate: [landingApi.list],
    savedText: t('created'),
    onSaved: ({ uuid }) => go('landingEdit', { uuid }, { replace: true }),
  })
  return (
    <>
      <PageHeader title={t('new')} />
      <PageForm of={form} label={t('new')} action={t('create')} onCancel={() => go('landings')}>
        <LandingForm of={form} />
      </PageForm>
    </>
  )
}
