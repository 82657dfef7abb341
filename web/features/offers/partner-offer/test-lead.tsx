import { Alert, Anchor, Button, Group, Stack } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { PartnerLeads } from '#contract/leads/api-offer.ts'
import { leadApi, leadInput } from '#contract/leads/lead.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { useSave } from '#web/api/query.ts'
import { fieldWord } from '#web/features/offers/partner-offer/field-word.ts'
import { fieldText } from '#web/i18n/language.ts'
import { RawText } from '#web/kit/show/raw-text.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { Modal } from '#web/kit/page/modal.tsx'

/** Sends the sample of an offer as a test, as a program would with a key, and says what was answered. */
export function TestLead({ sample }: { sample: PartnerLeads['sample'] | undefined }) {
  const { t } = useTranslation('partnerPage')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconSend size={16} aria-hidden />} disabled={sample === undefined} onClick={() => setOpen(true)}>
        {t('try')}
      </Button>
      {sample !== undefined && (
        <Modal opened={open} onClose={() => setOpen(false)} title={t('try')} size={560} centered>
          <Trial sample={sample} />
        </Modal>
      )}
    </>
  )
}

function Trial({ sample }: { sample: PartnerLeads['sample'] }) {
  const { t } = useTranslation('partnerPage')
  const check = useSave(leadApi.check, { form: true })
  const send = useSave(leadApi.send, {
    form: true,
    invalidate: [userSessionApi.list],
    // asked once it is taken: what of it is wrong was said by then
    onSuccess: (_, input) => check.mutate(input),
  })
  // its id is the program's to give: sent from here it is another lead each time
  const { external_id: _id, ...lead } = sample
  const wrong = Object.entries(send.error?.fields ?? {})
  return (
    <Stack gap={14}>
      <p className="ohma-soft">{t('tryText')}</p>
      <RawText>{JSON.stringify(lead, null, 2)}</RawText>
      {wrong.length > 0 && (
        <Alert color="var(--ohma-bad)" role="alert">
          {wrong.map(([name, why]) => (
            <p key={name}>
              {name !== '' && `${fieldWord(t, name)}: `}
              {fieldText(why)}
            </p>
          ))}
        </Alert>
      )}
      {send.data !== undefined && (
        <Alert color="var(--ohma-good)" role="status" title={t('try.taken', { id: send.data.lead_id })}>
          {check.data !== undefined && <p>{t(`try.${check.data.takes}`)}</p>}
          <Anchor
            component={ScreenLink}
            to="statisticApiUserSession"
            search={`?session=${send.data.session_uuid}`}
            c="inherit"
            underline="always"
          >
            {t('try.see')}
          </Anchor>
        </Alert>
      )}
      <Group justify="flex-end">
        <Button loading={send.isPending} onClick={() => send.mutate({ body: leadInput.parse(lead) })}>
          {t(send.data === undefined ? 'try.send' : 'try.again')}
        </Button>
      </Group>
    </Stack>
  )
}
