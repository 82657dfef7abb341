import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { KEPT_KEY_HOURS } from '#contract/traffic/postback-message.ts'
import { ownPostbackApi } from '#contract/traffic/own-postback.ts'
import { useSave } from '#web/api/query.ts'
import type { OwnPostback } from '#web/features/traffic/postback/own-postback-columns.tsx'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { useNow } from '#web/kit/show/use-now.ts'
import { Until } from '#web/kit/show/until.tsx'
import { Modal } from '#web/kit/page/modal.tsx'

type SignatureDialogProps = { postback: OwnPostback; onClose: () => void }

/** Signs the bodies of a postback: makes a key, which is shown this once, or another beside it, or forgets it. */
export function SignatureDialog({ postback, onClose }: SignatureDialogProps) {
  const { t } = useTranslation('postbackMessage')
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined)
    return (
      <Modal opened onClose={onClose} title={t('sign.title')} centered size={520} closeOnClickOutside={false}>
        <Stack>
          <Text fz={14}>{t('sign.once')}</Text>
          <CopyField label={t('sign.key')} text={secret} />
          <Button onClick={onClose} style={{ alignSelf: 'end' }}>
            {t('sign.done')}
          </Button>
        </Stack>
      </Modal>
    )
  return <MakeKey postback={postback} onMade={setSecret} onClose={onClose} />
}

function MakeKey({ postback, onMade, onClose }: SignatureDialogProps & { onMade: (secret: string) => void }) {
  const { t } = useTranslation('postbackMessage')
  const { uuid, version, signed, signing_before_until: until } = postback
  const now = useNow()
  const unsign = useSave(ownPostbackApi.unsign, { invalidate: [ownPostbackApi.list] })
  const form = useSaveForm({
    endpoint: ownPostbackApi.sign,
    initial: { keep_hours: signed ? '24' : '0' },
    toInput: ({ keep_hours }) => ({
      params: { uuid },
      body: { version, keep_hours: KEPT_KEY_HOURS.find((hours) => String(hours) === keep_hours) ?? 0 },
    }),
    invalidate: [ownPostbackApi.list],
    savedText: '',
    onSaved: (made) => onMade(made.secret),
  })
  const stop = async () => {
    if (!(await confirm({ title: t('sign.stop'), text: t('sign.stopText'), action: t('sign.stop'), danger: true }))) return
    unsign.mutate({ params: { uuid }, body: { version } }, { onSuccess: onClose })
  }
  return (
    <DialogForm
      of={form}
      title={t('sign.title')}
      text={t(signed ? 'sign.textSigned' : 'sign.text')}
      action={t(signed ? 'sign.renew' : 'sign.make')}
      size={520}
      onClose={onClose}
    >
      {signed && (
        <>
          {until !== null && Date.parse(until) > now && (
            <Alert color="yellow" variant="light">
              {t('sign.before')} <Until at={until} />
            </Alert>
          )}
          <SelectField
            of={form}
            name="keep_hours"
            label={t('sign.keep')}
            options={KEPT_KEY_HOURS.map((hours) => ({ value: String(hours), label: t(`sign.keep.${hours}`) }))}
          />
          <Group>
            <Button variant="default" color="red" loading={unsign.isPending} onClick={() => void stop()}>
              {t('sign.stop')}
            </Button>
          </Group>
        </>
      )}
    </DialogForm>
  )
}
