import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { LastChange } from '#contract/network/define-setting.ts'
import { PageForm } from '#web/kit/form/page-form.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { screenHref, useScreens } from '#web/shell/access.ts'

type SettingFormProps<Values> = {
  of: SaveForm<Values>
  /** What the log calls these settings. */
  section: string
  /** Names the form for screen readers. */
  label: string
  /** Who saved these settings last, as they were answered. */
  changed: LastChange
  children: ReactNode
}

/** The form of a section of the settings; beneath it stands who changed it last, and the way to all its changes for who may read them. */
export function SettingForm<Values>({ of, section, label, changed, children }: SettingFormProps<Values>) {
  const { t } = useTranslation('setting')
  const { t: common } = useTranslation('common')
  const readsLog = useScreens().has('settingsPersonal')
  return (
    <PageForm of={of} label={label} action={common('save')}>
      {children}
      {changed !== null && (
        <p className="ohma-soft">
          {changed.by === '' ? t('changedByNobody') : t('changed', { name: changed.by })}, <Moment at={changed.at} />
          {readsLog && (
            <>
              {' · '}
              <Anchor component={Link} to={`${screenHref('settingsPersonal')}?entity=setting&search=${section}`} inherit>
                {t('changes')}
              </Anchor>
            </>
          )}
        </p>
      )}
    </PageForm>
  )
}
