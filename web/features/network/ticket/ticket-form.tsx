import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { TICKET_CATEGORIES, TICKET_PRIORITIES, ticketApi, type ticketInput } from '#contract/network/ticket.ts'
import { partnerOfferApi } from '#contract/offers/partner-offer.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import type { z } from 'zod'
import { query } from '#web/api/query.ts'
import { newKey } from '#web/features/network/ticket/new-key.ts'
import { AttachButton } from '#web/features/network/ticket/attach-button.tsx'
import { DraftFiles } from '#web/features/network/ticket/draft-files.tsx'
import { useFiles } from '#web/features/network/ticket/use-files.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { SideForm } from '#web/kit/form/side-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import type { ReferenceRow } from '#web/kit/list/filter.ts'

type TicketCreateProps = {
  staff: boolean
  /** With whom staff open it, where that is known from where they stand. */
  affiliate?: ReferenceRow
  onClose: () => void
  onMade: (key: string) => void
}

/** Opens a ticket: affiliates with the network, staff with an affiliate of theirs. */
export function TicketCreate({ staff, affiliate, onClose, onMade }: TicketCreateProps) {
  const { t } = useTranslation('ticket')
  // sent twice it is one ticket
  const [key] = useState(newKey)
  const initial: z.output<typeof ticketInput> = {
    key,
    files: [],
    subject: '',
    body: '',
    category: 'general',
    priority: 'normal',
    offer_uuid: null,
    affiliate_uuid: affiliate?.uuid ?? null,
  }
  const { files, sending, add, remove } = useFiles()
  const form = useSaveForm({
    endpoint: ticketApi.create,
    initial,
    toInput: (values) => ({
      body: {
        ...values,
        files: files.flatMap(({ uuid }) => uuid ?? []),
        offer_uuid: values.category === 'offer_request' ? values.offer_uuid : null,
      },
    }),
    invalidate: [ticketApi.list, ticketApi.figures],
    savedText: t('opened'),
    onSaved: ({ id }) => onMade(String(id)),
  })
  const asks = form.values.category === 'offer_request'
  const offers = useQuery({ ...query(partnerOfferApi.list, { body: { tab: 'available', count: 100 } }), enabled: asks && !staff })
  const categories = TICKET_CATEGORIES.filter((one) => !staff || one !== 'offer_request')
  return (
    <SideForm
      of={{ ...form, dirty: form.dirty || files.length > 0 }}
      title={t('new')}
      action={t('openTicket')}
      waiting={sending}
      onClose={onClose}
    >
      {staff && (
        <ReferenceField
          of={form}
          name="affiliate_uuid"
          label={t('affiliate')}
          endpoint={affiliateApi.list}
          chosen={affiliate ?? null}
          required
        />
      )}
      <TextField of={form} name="subject" label={t('subject')} required />
      <SelectField
        of={form}
        name="category"
        label={t('category')}
        options={categories.map((value) => ({ value, label: t(`category.${value}`) }))}
        required
      />
      {asks && (
        <SelectField
          of={form}
          name="offer_uuid"
          label={t('offer')}
          help={t('offerHelp')}
          options={(offers.data?.list ?? []).map(({ uuid, id, title }) => ({ value: uuid, label: `${title} · ${id}` }))}
          required
        />
      )}
      {staff && (
        <SelectField
          of={form}
          name="priority"
          label={t('priority')}
          options={TICKET_PRIORITIES.map((value) => ({ value, label: t(`priority.${value}`) }))}
          required
        />
      )}
      <LongTextField of={form} name="body" label={t('message')} required />
      <Group gap="xs">
        <AttachButton onAdd={add} />
        <Text fz={13} c="dimmed" flex={1}>
          {t('attachHelp.new')}
        </Text>
      </Group>
      <DraftFiles files={files} onRemove={remove} />
    </SideForm>
  )
}
