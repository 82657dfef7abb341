import { ActionIcon, Combobox, useCombobox } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useConstants } from '#web/api/constants.ts'
import { bestMatches } from '#web/kit/fields/best-match.ts'
import { macroAbout, macrosFor, type MacroPlace } from '#web/kit/fields/macro/macros.ts'
import classes from '#web/kit/fields/macro/macro-field.module.css'

type MacroPickerProps = { place: MacroPlace; field: string; disabled: boolean | undefined; onPick: (name: string) => void }

/** All macros an address may carry, behind one button: found by their name or by what they stand for. */
export function MacroPicker({ place, field, disabled, onPick }: MacroPickerProps) {
  const { t } = useTranslation('kit')
  const { macros } = useConstants()
  const [search, setSearch] = useState('')
  const list = useCombobox({
    onDropdownOpen: () => list.focusSearchInput(),
    onDropdownClose: (source) => {
      setSearch('')
      if (source === 'keyboard') list.focusTarget()
    },
  })
  // what was found first is what Enter puts in
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => (search === '' ? list.resetSelectedOption() : void list.selectFirstOption()), [search])

  const found = () => {
    const { usual, ofAdNetworks } = macrosFor(macros, place)
    const named = [...usual, ...ofAdNetworks].map(({ value, ad_network }) => ({ value, about: ad_network ?? macroAbout(value) }))
    return bestMatches(named, search.replaceAll(/[{}]/g, ''), ({ value, about }) => ({ value, label: `${value} ${about}` }))
  }
  const label = t('macro.insert', { field })
  return (
    <Combobox
      store={list}
      width={380}
      position="bottom-end"
      onOptionSubmit={(name) => {
        list.closeDropdown()
        onPick(name)
      }}
    >
      <Combobox.Target targetType="button">
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          disabled={disabled ?? false}
          aria-label={label}
          title={label}
          onClick={() => list.toggleDropdown()}
        >
          <IconBraces size={16} aria-hidden />
        </ActionIcon>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={t('macro.find')}
          aria-label={t('macro.find')}
        />
        <Combobox.Options aria-label={label} mah={280} style={{ overflowY: 'auto' }}>
          {list.dropdownOpened &&
            found().map(({ value, about }) => (
              <Combobox.Option key={value} value={value} className={classes.option}>
                <code>{`{${value}}`}</code>
                <span>{about}</span>
              </Combobox.Option>
            ))}
          {list.dropdownOpened && found().length === 0 && <Combobox.Empty>{t('macro.none')}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
