import { Alert, Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { referralApi } from '#contract/people/referral.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { Sparkline } from '#web/kit/chart/sparkline.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'
import { BroughtList } from './brought-list.tsx'
import { EarnedPanel } from './earned-panel.tsx'

type Own = CallOutput<typeof referralApi.own>

/** /settings/referrals of an affiliate: the own link, and who came by it. */
export function OwnReferrals() {
  const { t } = useTranslation('referral')
  const found = useQuery(query(referralApi.own, {}))
  return (
    <SettingsPage>
      <QueryPage query={found} failed={t('failed')}>
        {(own) => (
          <Stack maw={820}>
            <OwnLink own={own} />
            <EarnedPanel own={own} />
            <BroughtList />
          </Stack>
        )}
      </QueryPage>
    </SettingsPage>
  )
}

function OwnLink({ own: { code, link, may_choose, terms, visits } }: { own: Own }) {
  const { t } = useTranslation('referral')
  const [open, setOpen] = useState(false)
  const choose = may_choose && terms !== null && (
    <Button variant="default" onClick={() => setOpen(true)}>
      {t('own.choose')}
    </Button>
  )
  return (
    <Panel title={t('own.title')} actions={choose}>
      {terms === null ? (
        <Alert color="var(--ohma-waiting)" role="note">
          {t('own.off')}
        </Alert>
      ) : (
        <>
          <p>{t('own.terms', { percent: Number(terms.percent), count: terms.months })}</p>
          {terms.deeper.map(
            (share, place) =>
              Number(share) > 0 && <p key={place}>{t(place === 0 ? 'own.second' : 'own.third', { percent: Number(share) })}</p>,
          )}
          <p className="ohma-soft">{t('own.money')}</p>
          <CopyField label={t('own.link')} text={link} />
          <Visits visits={visits} />
          <p className="ohma-soft">
            {t('own.code')} <b>{code}</b>
          </p>
        </>
      )}
      {open && <CodeDialog onClose={() => setOpen(false)} />}
    </Panel>
  )
}

/** How many have opened the link in the last days, and the way of it. */
function Visits({ visits }: { visits: Own['visits'] }) {
  const { t } = useTranslation('referral')
  const sum = visits.reduce((all, one) => all + one, 0)
  const text = t('own.visits', { count: sum, number: integer(sum) })
  return (
    <Group gap="sm">
      <span>{text}</span>
      {sum > 0 && <Sparkline values={visits} label={text} width={160} unfinished />}
    </Group>
  )
}

function CodeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('referral')
  const form = useSaveForm({
    endpoint: referralApi.choose,
    initial: { code: '' },
    toInput: (values) => ({ body: values }),
    invalidate: [referralApi.own],
    onSaved: onClose,
  })
  return (
    <DialogForm of={form} title={t('own.choose')} text={t('own.chooseText')} action={t('own.save')} onClose={onClose}>
      <TextField of={form} name="code" label={t('own.newCode')} help={t('own.codeHelp')} autoComplete="off" required />
    </DialogForm>
  )
}
