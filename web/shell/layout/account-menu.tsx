import { Avatar, Box, Kbd, Menu, Text, UnstyledButton, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import {
  IconArrowsExchange,
  IconAdjustmentsHorizontal,
  IconBell,
  IconFileText,
  IconKeyboard,
  IconLogout,
  IconShieldLock,
  IconUserCircle,
} from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useNavigate } from 'react-router'
import { withinChunkTimeout } from '#web/chunk.ts'
import { currentLanguage, offeredLanguages, loadLateTexts, setLanguage, type Language } from '#web/i18n/language.ts'
import { screenHref, useGo, useScreens } from '#web/shell/access.ts'
import { signOut, useSession } from '#web/shell/session.ts'
import type { Profile } from '#web/shell/layout/profile.ts'
import classes from '#web/shell/layout/layout.module.css'

const DIALOGS = {
  profile: lazy(async () => ({ default: (await withinChunkTimeout(() => import('#web/shell/layout/profile-dialog.tsx'))).ProfileDialog })),
  notifications: lazy(async () => ({
    default: (await withinChunkTimeout(() => import('#web/notification-choices.tsx'))).NotificationChoices,
  })),
  preferences: lazy(async () => ({
    default: (await withinChunkTimeout(() => import('#web/shell/layout/preferences-dialog.tsx'))).PreferencesDialog,
  })),
  legal: lazy(async () => ({ default: (await withinChunkTimeout(() => import('#web/shell/layout/legal-dialog.tsx'))).LegalDialog })),
  security: lazy(async () => {
    const load = () => Promise.all([import('#web/shell/layout/security-dialog.tsx'), loadLateTexts('security')])
    return { default: (await withinChunkTimeout(load))[0].SecurityDialog }
  }),
}

const SCHEMES = ['light', 'dark', 'auto'] as const satisfies readonly MantineColorScheme[]

/** The person signed in: profile, preferences, own safety, theme, language, the keys, and the way out. */
export function AccountMenu({ me, onKeys }: { me: Profile | undefined; onKeys: () => void }) {
  const { t } = useTranslation('layout')
  const { t: screenName } = useTranslation('screen')
  const { email, acting } = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [dialog, setDialog] = useState<keyof typeof DIALOGS>()
  const go = useGo()
  const navigate = useNavigate()
  const screens = useScreens()
  const ownPage = (['settingsProfile', 'settingsProfileStaff'] as const).find((screen) => screens.has(screen))
  const openSecurity = () => {
    if (screens.has('settingsSecurityOwn')) go('settingsSecurityOwn')
    else if (screens.has('settingsSecurity')) void navigate(`${screenHref('settingsSecurity')}?tab=own`)
    else setDialog('security')
  }
  const Dialog = dialog && DIALOGS[dialog]
  const name = me?.name || email

  return (
    <>
      <Menu position="bottom-end" width={272} shadow="md" closeOnItemClick>
        <Menu.Target>
          <UnstyledButton className={classes.touched} p={3} bdrs="50%" aria-label={t('account', { name })}>
            <Avatar size={30} color="accent" variant="filled" fz={12} aria-hidden>
              {initials(name)}
            </Avatar>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Box px="sm" py="xs">
            <Text fw={600} truncate>
              {name}
            </Text>
            <Text fz={13} c="dimmed" truncate>
              {me?.email ?? email}
            </Text>
            {me && (
              <Text fz={13} c="dimmed">
                {t(`role.${me.user_role}`)}
              </Text>
            )}
          </Box>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconUserCircle size={16} aria-hidden />}
            onClick={() => (ownPage === undefined ? setDialog('profile') : go(ownPage))}
          >
            {t('profile.title')}
          </Menu.Item>
          {!acting && (
            <>
              <Menu.Item leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />} onClick={() => setDialog('preferences')}>
                {t('preferences.title')}
              </Menu.Item>
              <Menu.Item leftSection={<IconBell size={16} aria-hidden />} onClick={() => setDialog('notifications')}>
                {t('bell.title')}
              </Menu.Item>
              <Menu.Item leftSection={<IconShieldLock size={16} aria-hidden />} onClick={openSecurity}>
                {t('security.title')}
              </Menu.Item>
            </>
          )}
          {screens.has('partnerApi') && (
            <Menu.Item leftSection={<IconArrowsExchange size={16} aria-hidden />} onClick={() => go('partnerApi')}>
              {screenName('partnerApi')}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
            <Menu.Label>{t('theme')}</Menu.Label>
            {SCHEMES.map((scheme) => (
              <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick={false}>
                {t(`theme.${scheme}`)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.RadioGroup value={currentLanguage()} onChange={(value) => void setLanguage(value as Language)}>
            <Menu.Label>{t('language')}</Menu.Label>
            {offeredLanguages.map(({ value, label }) => (
              <Menu.RadioItem key={value} value={value} closeMenuOnClick={false}>
                {label}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Item leftSection={<IconFileText size={16} aria-hidden />} onClick={() => setDialog('legal')}>
            {t('legal.title')}
          </Menu.Item>
          <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} rightSection={<Kbd size="xs">?</Kbd>} onClick={onKeys}>
            {t('keys.title')}
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
            {t('logOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>{Dialog && me && <Dialog me={me} onClose={() => setDialog(undefined)} />}</Suspense>
    </>
  )
}

function initials(name: string): string {
  const words = name.split(/[\s@._-]+/).filter(Boolean)
  return (words.length > 1 ? `${words[0]?.[0] ?? ''}${words[1]?.[0] ?? ''}` : (words[0] ?? '').slice(0, 2)).toUpperCase()
}
