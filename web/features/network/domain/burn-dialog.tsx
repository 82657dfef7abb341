import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { domainApi, type domainDetail, type domainUses } from '#contract/network/domain.ts'
import { query } from '#web/api/query.ts'
import { useUseWords } from '#web/features/network/domain/use-words.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

type BurnProps = { of: z.output<typeof domainDetail>; onClose: () => void }

/** Asks why a domain is burnt and what takes its place, after telling what changes by it. */
export function BurnDialog({ of: domain, onClose }: BurnProps) {
  const { data } = useQuery(query(domainApi.uses, { params: { uuid: domain.uuid } }))
  return data === undefined ? <Skeleton height={36} role="status" /> : <Burn of={domain} uses={data} onClose={onClose} />
}

function Burn({ of: domain, uses, onClose }: BurnProps & { uses: z.output<typeof domainUses> }) {
  const { t } = useTranslation('domain')
  const wordsOfUse = useUseWords()
  const initial: { reason: string; replacement_uuid: string | null } = {
    reason: '',
    replacement_uuid: uses.replacements[0]?.uuid ?? null,
  }
  const form = useSaveForm({
    endpoint: domainApi.burn,
    initial,
    toInput: (values) => ({ params: { uuid: domain.uuid }, body: values }),
    invalidate: [domainApi.list, domainApi.get],
    onSaved: onClose,
    savedText: t('burntDone', { host: domain.host }),
  })
  const used = wordsOfUse(uses)
  return (
    <DialogForm
      of={form}
      title={t('burn.title', { host: domain.host })}
      text={used === '' ? t('burn.unused') : t('burn.text', { uses: used })}
      action={t('burn')}
      danger
      onClose={onClose}
    >
      <TextField of={form} name="reason" label={t('burn.reason')} help={t('burn.reasonHelp')} required />
      <SelectField
        of={form}
        name="replacement_uuid"
        label={t('burn.replacement')}
        options={uses.replacements.map(({ uuid, host, status }) => ({
          value: uuid,
          label: status === 'failing' ? `${host} · ${t('status.failing')}` : host,
        }))}
        unset={t('burn.fallback', { address: uses.fallback })}
      />
    </DialogForm>
  )
}
