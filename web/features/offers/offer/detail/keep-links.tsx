import { Alert } from '@mantine/core'
import { useState } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import { keptLinkApi, MOST_KEPT_LINES } from '#contract/offers/kept-link.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import classes from '#web/features/offers/offer/detail/kept-links.module.css'
import type { OfferDetail } from '#web/features/offers/offer/form/offer-values.ts'
import { integer } from '#web/format.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SideForm } from '#web/kit/form/side-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { notify } from '#web/notify.ts'

type Refused = CallOutput<typeof keptLinkApi.keep>['refused']

/** Takes addresses of another tracker, a line each, for the offer; with one that cannot be kept none is, and it says which. */
export function KeepLinks({ offer, onClose }: { offer: OfferDetail; onClose: () => void }) {
  const { t } = useTranslation('offer')
  const [refused, setRefused] = useState<Refused>([])
  const form = useSaveForm({
    endpoint: keptLinkApi.keep,
    initial: { lines: '', affiliate_uuid: null as string | null },
    toInput: ({ lines, affiliate_uuid }) => ({
      body: { offer_uuid: offer.uuid, affiliate_uuid, lines: lines.trim().split('\n') },
    }),
    check: ({ lines }): Readonly<Record<string, string>> => {
      const given = lines.trim().split('\n')
      if (lines.trim() === '') return { lines: t('kept.needed') }
      return given.length > MOST_KEPT_LINES ? { lines: t('kept.tooMany', { most: integer(MOST_KEPT_LINES) }) } : {}
    },
    invalidate: [keptLinkApi.list],
    savedText: '',
    onSaved: ({ kept, already, refused: those }) => {
      setRefused(those)
      if (those.length > 0) return
      const before = already > 0 ? ` ${t('kept.already', { count: already, number: integer(already) })}` : ''
      notify.success(`${t('kept.done', { count: kept, number: integer(kept) })}${before}`)
      onClose()
    },
  })
  return (
    <SideForm of={form} title={t('kept.add')} action={t('kept.action')} onClose={onClose}>
      <p className="ohma-soft">{t('kept.help')}</p>
      {refused.length > 0 && (
        <Alert role="alert" color="var(--ohma-bad)" title={t('kept.refused', { count: refused.length, number: integer(refused.length) })}>
          <ul className={classes.refused}>
            {refused.slice(0, SHOWN).map(({ line, text, reason }) => (
              <li key={line}>
                {t('kept.line', { line: integer(line) })} <code>{text}</code>: {t(`kept.reason.${reason}`)}
              </li>
            ))}
          </ul>
          {refused.length > SHOWN && t('kept.andMore', { count: refused.length - SHOWN, number: integer(refused.length - SHOWN) })}
        </Alert>
      )}
      <LongTextField
        of={form}
        name="lines"
        label={t('kept.lines')}
        placeholder={'https://trk.example.com/AbC123\nhttps://trk.example.com/click.php?key=k3y 1042'}
        rows={6}
        required
      />
      <ReferenceField
        of={form}
        name="affiliate_uuid"
        label={t('kept.whose')}
        help={t('kept.whoseHelp')}
        endpoint={affiliateApi.list}
        chosen={null}
      />
    </SideForm>
  )
}

/** So many refused lines are said at once. */
const SHOWN = 20
