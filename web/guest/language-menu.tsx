import { Menu } from '@mantine/core'
import { offeredLanguages, setLanguage } from '#web/i18n/language.ts'
import { LanguageTarget } from './language-target.tsx'

/** The choice of languages, open from the start: it is loaded because somebody asked for it. */
export function LanguageMenu() {
  return (
    <Menu position="bottom-end" width={160} defaultOpened>
      <Menu.Target>
        <LanguageTarget />
      </Menu.Target>
      <Menu.Dropdown>
        {offeredLanguages.map(({ value, label }) => (
          <Menu.Item key={value} lang={value} onClick={() => void setLanguage(value)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
