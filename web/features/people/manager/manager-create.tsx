import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { blankManager, managerApi } from '#contract/people/manager.ts'
import { useConstants } from '#web/api/constants.ts'
import { ManagerForm } from '#web/features/people/manager/manager-form.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { useGo } from '#web/shell/access.ts'
import { PasswordLinkDialog } from '#web/shell/password-link-dialog.tsx'

/** Makes a manager, then shows the one-time link that lets them in. */
export function ManagerCreate() {
  const { t } = useTranslation('manager')
  const go = useGo()
  const { partner_settings } = useConstants()
  const [made, setMade] = useState<{ uuid: string; link: string }>()
  const form = useSaveForm({
    endpoint: managerApi.create,
    initial: { ...blankManager, time_zone: partner_settings.time_zone },
    toInput: (values) => ({ body: values }),
    invalidate: [managerApi.list],
    savedText: t('created.toast'),
    onSaved: setMade,
  })
  return (
    <>
      <PageHeader title={t('new')} />
      <PageForm of={form} label={t('new')} action={t('create')} onCancel={() => go('managers')}>
        <ManagerForm of={form} />
      </PageForm>
      {made && (
        <PasswordLinkDialog
          endpoint={managerApi.passwordLink}
          uuid={made.uuid}
          link={made.link}
          onClose={() => go('managerEdit', { uuid: made.uuid }, { replace: true })}
        />
      )}
    </>
  )
}
