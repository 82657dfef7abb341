import { ActionIcon, Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { fieldId, type SaveForm } from '#web/kit/form/use-save-form.ts'
import type { SpecValues } from './spec-values.ts'
import classes from './spec.module.css'

type Props = {
  of: SaveForm<SpecValues>
  /** The path of the list in the form. */
  path: string
  label: string
  count: number
  /** What a new row begins with. */
  blank: unknown
  most: number
  add: string
  /** Their order decides: they can be moved. */
  ordered?: boolean
  /** The fields of a row by its place. */
  children: (index: number) => ReactNode
  /** How many columns the fields take. */
  columns: 2 | 3 | 4
}

/** Rows of a list in a form: each with its fields, a button to remove it, and where their order decides buttons to move it. */
export function Rows({ of, path, label, count, blank, most, add, ordered = false, children, columns }: Props) {
  const { t } = useTranslation('integration')
  of.labels.set(path, label)
  const move = (from: number, to: number) => of.form.reorderListItem(path, { from, to })
  return (
    <div role="group" aria-label={label} className={classes.rows} data-wide>
      {Array.from({ length: count }, (_, index) => (
        <div
          key={index}
          className={classes.row}
          data-columns={columns}
          role="group"
          aria-label={t('row', { of: label, number: index + 1 })}
        >
          {children(index)}
          <span className={classes.tools}>
            {ordered && (
              <>
                <Tool label={t('row.up')} disabled={index === 0} onClick={() => move(index, index - 1)}>
                  <IconArrowUp size={16} aria-hidden />
                </Tool>
                <Tool label={t('row.down')} disabled={index === count - 1} onClick={() => move(index, index + 1)}>
                  <IconArrowDown size={16} aria-hidden />
                </Tool>
              </>
            )}
            <Tool label={t('row.remove')} onClick={() => of.form.removeListItem(path, index)}>
              <IconTrash size={16} aria-hidden />
            </Tool>
          </span>
        </div>
      ))}
      <Button
        id={fieldId(of.id, path)}
        size="compact-md"
        variant="default"
        leftSection={<IconPlus size={15} aria-hidden />}
        disabled={count >= most}
        onClick={() => of.form.insertListItem(path, blank)}
      >
        {add}
      </Button>
    </div>
  )
}

function Tool({
  label,
  disabled = false,
  onClick,
  children,
}: {
  label: string
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}) {
  return (
    <ActionIcon variant="subtle" color="gray" size={34} aria-label={label} title={label} disabled={disabled} onClick={onClick}>
      {children}
    </ActionIcon>
  )
}
