import { Button, Checkbox, TextInput } from '@mantine/core'
import { use, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { savedViewApi } from '#contract/traffic/view.ts'
import { useSave } from '#web/api/query.ts'
import { Rights } from '#web/kit/rights.ts'
import classes from '#web/kit/view/view.module.css'

type SaveViewFormProps = {
  screen: string
  /** What is kept. */
  address: string
  /** Names of the own views: saving under one of them replaces it. */
  taken: readonly string[]
}

/** Keeps what the screen shows under a name. */
export function SaveViewForm({ screen, address, taken }: SaveViewFormProps) {
  const { t } = useTranslation('kit')
  const can = use(Rights)
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const save = useSave(savedViewApi.save, {
    invalidate: [savedViewApi.list],
    form: true,
    onSuccess: () => {
      setName('')
      setShared(false)
    },
  })
  const trimmed = name.trim()
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (trimmed !== '') save.mutate({ body: { screen, name: trimmed, address, shared } })
      }}
    >
      <TextInput
        size="xs"
        label={t('view.keep')}
        placeholder={t('view.name')}
        maxLength={60}
        value={name}
        error={save.error?.fields['name']}
        onChange={(event) => {
          save.reset()
          setName(event.currentTarget.value)
        }}
      />
      {can('view.shared') && (
        <Checkbox size="xs" label={t('view.share')} checked={shared} onChange={(event) => setShared(event.currentTarget.checked)} />
      )}
      <Button type="submit" size="compact-sm" loading={save.isPending} disabled={trimmed === ''}>
        {taken.includes(trimmed) ? t('view.replace') : t('view.save')}
      </Button>
    </form>
  )
}
