import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { affiliateApi, blankAffiliate } from '#contract/people/affiliate.ts'
import { useConstants } from '#web/api/constants.ts'
import { AffiliateForm } from '#web/features/people/affiliate/affiliate-form.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { useGo } from '#web/shell/access.ts'
import { PasswordLinkDialog } from '#web/shell/password-link-dialog.tsx'

/** Makes an affiliate, then shows the one-time link that lets them in. */
export function AffiliateCreate() {
  const { t } = useTranslation('affiliate')
  const go = useGo()
  const { partner_settings } = useConstants()
  const [made, setMade] = useState<{ uuid: string; link: string }>()
  const form = useSaveForm({
    endpoint: affiliateApi.create,
    initial: { ...blankAffiliate, time_zone: partner_settings.time_zone },
    toInput: (values) => ({ body: values }),
    invalidate: [affiliateApi.list],
    savedText: t('created.toast'),
    onSaved: setMade,
  })
  return (
    <>
      <PageHeader title={t('new')} />
      <PageForm of={form} label={t('new')} action={t('create')} onCancel={() => go('affiliates')}>
        <AffiliateForm of={form} />
      </PageForm>
      {made && (
        <PasswordLinkDialog
          endpoint={affiliateApi.passwordLink}
          uuid={made.uuid}
          link={made.link}
          onClose={() => go('affiliateEdit', { uuid: made.uuid }, { replace: true })}
        />
      )}
    </>
  )
}
