import { Alert, Checkbox, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { MAIL_WAYS, notificationApi } from '#contract/network/notification.ts'
import { query } from '#web/api/query.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { changeAt } from '#web/kit/fields/field.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import classes from '#web/features/network/notification/notification.module.css'
import { Modal } from '#web/kit/page/modal.tsx'
import type english from './notification.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    notification: typeof english
  }
}

type Choices = CallOutput<typeof notificationApi.choices>

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${String(hour).padStart(2, '0')}:00` }))

/** What one is told of by the bell and by mail, kind by kind, and when the digest goes out. */
export function NotificationChoices({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('notification')
  const found = useQuery(query(notificationApi.choices, {}))
  if (found.data !== undefined) return <Form chosen={found.data} onClose={onClose} />
  return (
    <Modal opened onClose={onClose} title={t('title')} centered size={620}>
      {found.error ? <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} /> : <Skeleton height={320} />}
    </Modal>
  )
}

function Form({ chosen, onClose }: { chosen: Choices; onClose: () => void }) {
  const { t } = useTranslation('notification')
  const own = chosen.choices.some(({ kind }) => kind === 'access_decided')
  const form = useSaveForm({
    endpoint: notificationApi.choose,
    initial: { stopped: chosen.stopped, hour: String(chosen.hour), choices: chosen.choices },
    toInput: ({ stopped, hour, choices }) => ({ body: { stopped, hour: Number(hour), choices } }),
    invalidate: [notificationApi.choices, notificationApi.list, notificationApi.unread],
    onSaved: onClose,
  })
  const { stopped, choices } = form.values
  const nameOf = (kind: Choices['choices'][number]['kind']) => {
    const key = `kind.${kind}.own`
    if (own && i18next.exists(key, { ns: 'notification' })) return t(key as 'kind.news') // exists() has just found it
    return t(`kind.${kind}` as 'kind.news', { defaultValue: kind.replaceAll('_', ' ') })
  }
  return (
    <DialogForm of={form} size={620} title={t('title')} text={t('text', { email: chosen.email })} action={t('save')} onClose={onClose}>
      {!chosen.mail && <Alert color="yellow">{t('noMail')}</Alert>}
      <table className={classes.choices}>
        <thead>
          <tr>
            <th scope="col">{t('kind')}</th>
            <th scope="col">{t('bell')}</th>
            <th scope="col">{t('mail')}</th>
          </tr>
        </thead>
        <tbody>
          {choices.map(({ kind, bell, mail }, index) => (
            <tr key={kind}>
              <th scope="row">{nameOf(kind)}</th>
              <td>
                <Checkbox
                  aria-label={t('bellOf', { kind: nameOf(kind) })}
                  checked={bell}
                  onChange={(event) => changeAt(form, `choices.${index}.bell`, event.currentTarget.checked)}
                />
              </td>
              <td>
                <select
                  className={classes.way}
                  aria-label={t('mailOf', { kind: nameOf(kind) })}
                  value={mail}
                  disabled={stopped}
                  onChange={(event) => changeAt(form, `choices.${index}.mail`, event.currentTarget.value)}
                >
                  {MAIL_WAYS.map((way) => (
                    <option key={way} value={way}>
                      {t(`mail.${way}`)}
                    </option>
                  ))}
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <SelectField
        of={form}
        name="hour"
        label={t('hour')}
        help={t('hourHelp', { zone: chosen.time_zone.replaceAll('_', ' ') })}
        options={HOURS}
      />
      <SwitchField of={form} name="stopped" label={t('stopped')} />
      <p className="ohma-soft">{t('always')}</p>
    </DialogForm>
  )
}
