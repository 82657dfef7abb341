import { Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useNavigate } from 'react-router'
import { leadListApi, UNSOLD_STATUSES, type LeadList } from '#contract/leads/lead-list.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm, type SaveForm } from '#web/kit/form/use-save-form.ts'
import { screenHref } from '#web/shell/access.ts'

type Values = { title: string; description: string }

/** Makes an empty list, and goes on to who is in it. */
export function LeadListCreate({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('leadList')
  const navigate = useNavigate()
  const [who, setWho] = useState<'leads' | 'file'>('leads')
  const form = useSaveForm({
    endpoint: leadListApi.create,
    initial: { title: '', description: '' },
    toInput: (body) => ({ body }),
    invalidate: [leadListApi.list, leadListApi.options],
    savedText: '',
    onSaved: ({ uuid }) =>
      // most are made of leads whose first sale came to nothing; a press of “Clear” shows all
      void navigate(
        who === 'leads'
          ? `${screenHref('leadListAddSession', { uuid })}?${new URLSearchParams(UNSOLD_STATUSES.map((status) => ['status', status]))}`
          : `${screenHref('leadListSession', { uuid })}?file=new`,
      ),
  })
  return (
    <DialogForm of={form} title={t('create')} text={t('create.text')} action={t('create')} onClose={onClose}>
      <Fields of={form} />
      <Radio.Group label={t('who')} value={who} onChange={(value) => setWho(value === 'file' ? 'file' : 'leads')}>
        <Stack gap={8} mt={6}>
          <Radio value="leads" label={t('who.leads')} />
          <Radio value="file" label={t('who.file')} />
        </Stack>
      </Radio.Group>
    </DialogForm>
  )
}

/** Renames a list. */
export function LeadListEdit({
  of: list,
  onClose,
}: {
  of: Pick<LeadList, 'uuid' | 'title' | 'description' | 'version'>
  onClose: () => void
}) {
  const { t } = useTranslation('leadList')
  const form = useSaveForm({
    endpoint: leadListApi.update,
    initial: { title: list.title, description: list.description },
    toInput: (values) => ({ params: { uuid: list.uuid }, body: { ...values, version: list.version } }),
    invalidate: [leadListApi.list, leadListApi.get, leadListApi.options],
    onSaved: onClose,
  })
  return (
    <DialogForm of={form} title={t('edit.title')} action={t('edit')} onClose={onClose}>
      <Fields of={form} />
    </DialogForm>
  )
}

function Fields({ of }: { of: SaveForm<Values> }) {
  const { t } = useTranslation('leadList')
  return (
    <>
      <TextField of={of} name="title" label={t('list_title')} required />
      <LongTextField of={of} name="description" label={t('description')} rows={3} />
    </>
  )
}
