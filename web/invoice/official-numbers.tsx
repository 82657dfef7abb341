import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import type { invoiceApi } from '#contract/money/invoice.ts'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { useCan } from '#web/shell/access.ts'

/** An issued invoice or one of its credit notes. */
type Paper = { note: string | null; number: string; official_number: string }

/** How a number is entered: for which invoice, what shows it, and what is said after. */
type Entry = {
  invoice: { uuid: string; revision: number }
  endpoint: typeof invoiceApi.number | typeof advertiserInvoiceApi.number
  invalidate: readonly Endpoint[]
  saved: string
}

/** The numbers an e-invoicing system gave an invoice, of either side, and its credit notes, and the copies that say them. The texts are those of the ledger. */
export function OfficialNumbers({ of, entry, onCopy }: { of: readonly Paper[]; entry: Entry; onCopy: (paper: Paper) => void }) {
  const { t } = useTranslation('ledger')
  const can = useCan()
  const mayEnter = can('billing.write')
  const [open, setOpen] = useState<Paper>()
  if (of.length === 0 || (!mayEnter && of.every((one) => one.official_number === ''))) return null
  return (
    <Panel title={t('official')} text={t('official.text')}>
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {of.map((one) => (
          <Group component="li" key={one.number} justify="space-between" gap="xs">
            <div style={{ minWidth: 0 }}>
              <Text fz={12.5} c="dimmed">
                {one.number}
              </Text>
              <Text fz={14} style={{ overflowWrap: 'anywhere' }}>
                {one.official_number || t('official.none')}
              </Text>
            </div>
            <Group gap="xs">
              {one.official_number !== '' && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('official.copyOf', { number: one.number })}
                  onClick={() => onCopy(one)}
                >
                  {t('official.copy')}
                </Button>
              )}
              {mayEnter && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t(one.official_number === '' ? 'official.enterOf' : 'official.changeOf', { number: one.number })}
                  onClick={() => setOpen(one)}
                >
                  {t(one.official_number === '' ? 'official.enter' : 'official.change')}
                </Button>
              )}
            </Group>
          </Group>
        ))}
      </Stack>
      {open && <NumberDialog {...entry} paper={open} onClose={() => setOpen(undefined)} />}
    </Panel>
  )
}

/** An issued invoice and its credit notes. */
export function papersOf(invoice: {
  number: string | null
  official_number: string
  credit_notes: readonly { uuid: string; number: string; official_number: string }[]
}): Paper[] {
  const { number, official_number, credit_notes } = invoice
  if (number === null) return []
  return [{ note: null, number, official_number }, ...credit_notes.map((one) => ({ ...one, note: one.uuid }))]
}

function NumberDialog({ invoice, endpoint, invalidate, saved, paper, onClose }: Entry & { paper: Paper; onClose: () => void }) {
  const { t } = useTranslation('ledger')
  const form = useSaveForm({
    endpoint,
    initial: { official_number: paper.official_number },
    toInput: (values) => ({ params: { uuid: invoice.uuid }, body: { ...values, note: paper.note, revision: invoice.revision } }),
    invalidate,
    savedText: saved,
    onSaved: onClose,
  })
  return (
    <DialogForm
      of={form}
      title={t('official.title', { number: paper.number })}
      text={t('official.help')}
      action={t('save', { ns: 'common' })}
      onClose={onClose}
    >
      <TextField of={form} name="official_number" label={t('official.label')} />
    </DialogForm>
  )
}
