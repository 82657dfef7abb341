import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { versionCondition } from '#contract/offers/offer-fields.ts'
import { useConstants } from '#web/api/constants.ts'
import { conditionOf, type OfferValues } from '#web/features/offers/offer/form/offer-values.ts'
import { fieldText } from '#web/i18n/language.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { fieldId, type SaveForm } from '#web/kit/form/use-save-form.ts'
import { VERSION_WORDS } from '#web/targeting-words.ts'
import classes from '#web/features/offers/offer/form/offer-form.module.css'

const PATH = 'targeting.os_version.values'

/** Conditions on the versions of systems: a table edited in place. */
export function VersionEditor({ of, label }: { of: SaveForm<OfferValues>; label: string }) {
  const { t } = useTranslation('offer')
  const { values } = of.values.targeting.os_version
  const error = of.form.errors[PATH]
  of.labels.set(PATH, label)
  return (
    <div className={classes.rows} role="group" aria-label={label}>
      {values.map((_condition, index) => (
        <VersionRow key={index} of={of} index={index} />
      ))}
      {typeof error === 'string' && <p className={classes.error}>{fieldText(error)}</p>}
      <Button
        id={fieldId(of.id, PATH)}
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={values.length >= 30}
        onClick={() => of.form.insertListItem(PATH, { os: null, operator: '>=', version: '' })}
        style={{ alignSelf: 'start' }}
      >
        {t('version.add')}
      </Button>
      <p className={classes.none}>{t('version.help')}</p>
    </div>
  )
}

function VersionRow({ of, index }: { of: SaveForm<OfferValues>; index: number }) {
  const { t } = useTranslation('offer')
  const { oss } = useConstants()
  const path = `${PATH}.${index}` as const
  const name = t('version.row', { number: index + 1 })
  const row = of.values.targeting.os_version.values[index]
  const error = row && !versionCondition.safeParse(conditionOf(row)).success && of.form.errors[path]
  of.labels.set(path, name)
  return (
    // the summary leads to the row: what is wrong concerns all of it
    <div role="group" aria-label={name} id={fieldId(of.id, path)} tabIndex={-1}>
      <div className={classes.version}>
        <SelectField of={of} name={`${path}.os`} label={t('version.os')} options={oss} />
        <SelectField
          of={of}
          name={`${path}.operator`}
          label={t('version.operator')}
          options={(['>=', '<', '='] as const).map((value) => ({ value, label: t(`version.${VERSION_WORDS[value]}`) }))}
        />
        <TextField of={of} name={`${path}.version`} label={t('version.version')} placeholder="10" />
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          aria-label={t('version.remove', { number: index + 1 })}
          onClick={() => of.form.removeListItem(PATH, index)}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </div>
      {typeof error === 'string' && <p className={classes.error}>{fieldText(error)}</p>}
    </div>
  )
}
