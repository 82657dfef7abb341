import { Button, Popover, TextInput, UnstyledButton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConditionPill } from '#web/kit/list/condition-pill.tsx'
import { OPERATORS, type Held, type Operator } from '#web/kit/list/condition.ts'
import { addressKeys, type Filter } from '#web/kit/list/filter.ts'
import { FilterPill } from '#web/kit/list/filter-pill.tsx'
import { UnusedPill } from '#web/kit/list/unused-pill.tsx'
import classes from '#web/kit/list/list.module.css'

type ConditionsProps = {
  /** Those that compare, and those of other kinds that are offered beside them. */
  filters: Readonly<Record<string, Filter>>
  held: Held
  /** Changes what the address holds, by its keys. */
  set: (change: Record<string, string[] | undefined>) => void
  /** What the page knows a value of something (`city`) is called. */
  nameOf?: (id: string, value: string) => string | undefined
}

/** What rows are narrowed to, as pills, with the way to one more; what this screen cannot narrow by stays in sight and says so. */
export function Conditions({ filters, held, set, nameOf }: ConditionsProps) {
  const { t } = useTranslation('kit')
  // pills without a value yet, by their keys in the address, and the one whose menu opens
  const [drafts, setDrafts] = useState<readonly string[]>([])
  const [fresh, setFresh] = useState<string>()
  const isSet = (key: string) => held[key]?.some(Boolean) === true
  const entries = Object.entries(filters)
  const change = (before: string, id: string, operator: Operator, values: string[]) => {
    const key = `${operator}.${id}`
    if (key === before) {
      set({ [key]: values.length > 0 ? values : undefined })
      if (values.length === 0) setDrafts(drafts.filter((one) => one !== key))
      return
    }
    setFresh(key)
    setDrafts([...drafts.filter((one) => one !== before), key])
    set({ [before]: undefined, [key]: [...new Set([...(operator === 'empty' ? [] : (held[key] ?? [])), ...values])] })
  }
  const add = (key: string) => {
    const filter = filters[key]
    if (filter === undefined) return
    const first =
      addressKeys(key, filter)[filter.kind === 'condition' && filter.values.kind === 'texts' ? OPERATORS.indexOf('has') : 0] ?? key
    setDrafts([...drafts.filter((one) => one !== first), first])
    setFresh(first)
  }
  return (
    <>
      {entries.flatMap(([key, filter]) =>
        addressKeys(key, filter)
          .filter((one) => isSet(one) || (drafts.includes(one) && !filter.foreign))
          .map((one) => {
            const values = held[one] ?? []
            if (filter.foreign) return <UnusedPill key={one} label={filter.label} onRemove={() => set({ [one]: undefined })} />
            if (filter.kind !== 'condition')
              return (
                <FilterPill key={one} filter={filter} values={values} onChange={(next) => set({ [one]: next })} opened={fresh === one} />
              )
            const id = key.slice(1)
            return (
              <ConditionPill
                key={one}
                filter={filter}
                operator={OPERATORS.find((operator) => one === `${operator}.${id}`) ?? 'is'}
                values={values}
                onChange={(operator, next) => change(one, id, operator, next)}
                opened={fresh === one}
                nameOf={(value) => nameOf?.(id, value)}
              />
            )
          }),
      )}
      <AddFilter entries={entries.filter(([key, filter]) => !filter.foreign && (filter.kind === 'condition' || !isSet(key)))} onAdd={add} />
      <span className="ohma-silent" role="status">
        {entries.some(([key, filter]) => filter.foreign && addressKeys(key, filter).some(isSet)) && t('filter.someUnused')}
      </span>
    </>
  )
}

function AddFilter({ entries, onAdd }: { entries: readonly (readonly [string, Filter])[]; onAdd: (key: string) => void }) {
  const { t } = useTranslation('kit')
  const [opened, setOpened] = useState(false)
  const [find, setFind] = useState('')
  const wanted = find.trim().toLocaleLowerCase()
  const found = entries.filter(([, { label }]) => label.toLocaleLowerCase().includes(wanted))
  const groupOf = (filter: Filter) => (filter.kind === 'condition' ? filter.group : '')
  const choose = (key: string) => {
    setOpened(false)
    setFind('')
    onAdd(key)
  }
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      shadow="md"
      width={260}
      trapFocus
      returnFocus={false}
      withRoles={false}
    >
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden />}
          aria-expanded={opened}
          aria-haspopup="dialog"
          onClick={() => setOpened(!opened)}
        >
          {t('filter.new')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu} role="dialog" aria-label={t('filter.new')}>
        <TextInput
          size="xs"
          data-autofocus
          placeholder={t('filter.find')}
          aria-label={t('filter.find')}
          value={find}
          onChange={(event) => setFind(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && found[0] !== undefined && choose(found[0][0])}
        />
        <div className={classes.additions}>
          {[...new Set(found.map(([, filter]) => groupOf(filter)))].map((group) => (
            <div key={group} role="group" aria-label={group || t('list.filters')}>
              {group !== '' && <div className={classes.groupName}>{group}</div>}
              {found
                .filter(([, filter]) => groupOf(filter) === group)
                .map(([key, { label }]) => (
                  <UnstyledButton key={key} className={classes.addition} onClick={() => choose(key)}>
                    {label}
                  </UnstyledButton>
                ))}
            </div>
          ))}
          {found.length === 0 && <span className={classes.nothing}>{t('filter.none')}</span>}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
