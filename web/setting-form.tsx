import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { LastChange as Changed } from '#contract/network/define-setting.ts'
import { PageForm } from '#web/kit/form/page-form.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { LastChange } from '#web/last-change.tsx'

type SettingFormProps<Values> = {
  of: SaveForm<Values>
  /** What the log calls these settings. */
  section: string
  /** Names the form for screen readers. */
  label: string
  /** Who saved these settings last, as they were answered. */
  changed: Changed
  children: ReactNode
}

/** The form of a section of the settings; beneath it stands who changed it last, and the way to all its changes. */
export function SettingForm<Values>({ of, section, label, changed, children }: SettingFormProps<Values>) {
  const { t: common } = useTranslation('common')
  return (
    <PageForm of={of} label={label} action={common('save')}>
      {children}
      <LastChange of={{ kind: 'setting', part: section }} title={label} known={changed} />
    </PageForm>
  )
}
