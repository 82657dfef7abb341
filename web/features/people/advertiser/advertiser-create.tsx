import { useTranslation } from 'react-i18next'
import { advertiserApi, blankAdvertiser } from '#contract/people/advertiser.ts'
import { AdvertiserForm } from '#web/features/people/advertiser/advertiser-form.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { useGo } from '#web/shell/access.ts'

/** Makes an advertiser, then shows it with the postback address to hand over. */
export function AdvertiserCreate() {
  const { t } = useTranslation('advertiser')
  const go = useGo()
  const form = useSaveForm({
    endpoint: advertiserApi.create,
    initial: blankAdvertiser,
    toInput: (values) => ({ body: values }),
    invalidate: [advertiserApi.list],
    savedText: t('created.toast'),
    onSaved: ({ uuid }) => go('advertiserEdit', { uuid }, { replace: true }),
  })
  return (
    <>
      <PageHeader title={t('new')} />
      <PageForm of={form} label={t('new')} action={t('create')} onCancel={() => go('advertisers')}>
        <AdvertiserForm of={form} />
      </PageForm>
    </>
  )
}
