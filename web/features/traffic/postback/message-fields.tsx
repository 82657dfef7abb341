import { Anchor } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { HeaderFields } from '#web/features/traffic/postback/header-fields.tsx'
import { MacroHelp } from '#web/features/traffic/postback/macro-help.tsx'
import { BODY_SAMPLE, POSTBACK_KINDS, type MessageValues } from '#web/features/traffic/postback/postback-values.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { bodyHints } from '#web/kit/fields/macro/forgotten.ts'
import { MacroField } from '#web/kit/fields/macro/macro-field.tsx'
import { MacroHints } from '#web/kit/fields/macro/macro-hints.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'

/** Where a postback goes, how, and with what. */
export function MessageFields<Values extends MessageValues & Record<string, unknown>>({ of: form }: { of: SaveForm<Values> }) {
  const { t } = useTranslation('postback')
  const { t: late } = useTranslation('postbackMessage')
  // the fields below are those of every message, whatever else the form holds
  const of = form as unknown as SaveForm<MessageValues>
  const { kind } = of.values
  return (
    <>
      <MacroField
        of={of}
        name="url"
        label={t('url')}
        place="postback"
        placeholder="https://tracker.example/postback?cid={aff_click_id}&sum={payout}"
        required
      />
      <SelectField
        of={of}
        name="kind"
        label={t('method')}
        options={POSTBACK_KINDS.map((value) => ({ value, label: late(`kind.${value}`) }))}
        help={kind === 'query' ? late('kind.queryHelp') : undefined}
        required
      />
      {(kind === 'form' || kind === 'json') && (
        <div>
          <LongTextField
            of={of}
            name="body"
            label={late('body')}
            help={late(`bodyHelp.${kind}`)}
            placeholder={BODY_SAMPLE[kind]}
            rows={6}
            required
          />
          <MacroHints hints={bodyHints(of.values.body, kind)} />
          {of.values.body === '' && (
            <Anchor component="button" type="button" size="sm" mt={4} onClick={() => of.form.setFieldValue('body', BODY_SAMPLE[kind])}>
              {late('bodySample')}
            </Anchor>
          )}
        </div>
      )}
      <HeaderFields of={of} />
      <MacroHelp folded />
    </>
  )
}
