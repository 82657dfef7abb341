import { ActionIcon, Button, Select, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { POSTBACK_AUTHS, type advertiserInput } from '#contract/people/advertiser.ts'
import { CONVERSION_STATUSES } from '#contract/traffic/conversion.ts'
import classes from '#web/features/people/advertiser/advertiser-postback.module.css'
import { fieldText } from '#web/i18n/language.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TagsField } from '#web/kit/fields/tags-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { fieldId, type SaveForm } from '#web/kit/form/use-save-form.ts'

type Of = { of: SaveForm<z.output<typeof advertiserInput>> }
type Word = z.output<typeof advertiserInput>['postback_words'][number]
const MOST_WORDS = 200

/** How an advertiser reports results, as its form asks for it. */
export function PostbackFields({ of }: Of) {
  const { t } = useTranslation('advertiser')
  return (
    <FormSection title={t('section.postbacks')} text={t('section.postbacksText')}>
      <SelectField
        of={of}
        name="postback_auth"
        label={t('auth')}
        options={POSTBACK_AUTHS.map((value) => ({ value, label: t(`auth.${value}`) }))}
        help={t('authHelp')}
        required
      />
      <TagsField of={of} name="allowed_ips" label={t('allowedIps')} help={t('allowedIpsHelp')} wide />
      <SwitchField of={of} name="no_status_approved" label={t('noStatus')} help={t('noStatusHelp')} wide />
      <Words of={of} />
    </FormSection>
  )
}

/** The advertiser's words, each with the status or the goal it means. */
function Words({ of }: Of) {
  const { t } = useTranslation('advertiser')
  const words = of.values.postback_words
  of.labels.set('postback_words', t('words'))
  const error = of.form.errors['postback_words']
  return (
    <div role="group" aria-label={t('words')} className={classes.words} data-wide>
      <div>
        <Text size="sm" fw={500}>
          {t('words')}
        </Text>
        <Text size="xs" c="dimmed">
          {t('wordsHelp')}
        </Text>
      </div>
      {words.map((word, index) => (
        // rows have no name of their own while they are typed
        // oxlint-disable-next-line react/no-array-index-key
        <WordRow key={index} of={of} word={word} index={index} />
      ))}
      {typeof error === 'string' && (
        <Text size="xs" c="red">
          {fieldText(error)}
        </Text>
      )}
      <Button
        id={fieldId(of.id, 'postback_words')}
        size="compact-md"
        variant="default"
        leftSection={<IconPlus size={15} aria-hidden />}
        disabled={words.length >= MOST_WORDS}
        onClick={() => of.form.insertListItem('postback_words', { word: '', status: 'approved', goal: null } satisfies Word)}
        style={{ alignSelf: 'start' }}
      >
        {t('words.add')}
      </Button>
    </div>
  )
}

function WordRow({ of, word, index }: Of & { word: Word; index: number }) {
  const { t } = useTranslation('advertiser')
  const { t: conversion } = useTranslation('conversion')
  const path = `postback_words.${index}` as const
  const choose = (chosen: string | null) => {
    const status = CONVERSION_STATUSES.find((one) => one === chosen) ?? null
    of.form.setFieldValue(path, { ...word, status, goal: status === null ? (word.goal ?? '') : null })
  }
  return (
    <div className={classes.word} role="group" aria-label={t('words.row', { number: index + 1 })}>
      <TextField of={of} name={`${path}.word`} label={t('words.word')} required />
      <Select
        label={t('words.means')}
        data={[
          ...CONVERSION_STATUSES.map((value) => ({ value, label: t('words.status', { status: conversion(`status.${value}`) }) })),
          { value: 'goal', label: t('words.goal') },
        ]}
        allowDeselect={false}
        checkIconPosition="right"
        value={word.status ?? 'goal'}
        onChange={choose}
      />
      {word.status === null ? <TextField of={of} name={`${path}.goal`} label={t('words.code')} required /> : <span />}
      <ActionIcon
        variant="subtle"
        color="gray"
        size={34}
        aria-label={t('words.remove')}
        className={classes.remove}
        onClick={() => of.form.removeListItem('postback_words', index)}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}
